import { isWriting } from '../../app/shortcuts.ts'
import { addFiles, addText } from './add.ts'
import { judge, type Verdict } from './judge.ts'

let verdict = $state.raw<Verdict | null>(null)

/** What is dragged over the window just now; null while nothing is. */
export const drag = {
  get verdict(): Verdict | null {
    return verdict
  }
}

/** What is dragged out of this very window is nothing to add. */
let ours = false
/** Every element that is entered is also left; the window is left when they are even. */
let depth = 0

/** Follows drags over the whole window. Returns what ends it. */
export function followDrags(): () => void {
  const ending = new AbortController()
  const on = <E extends keyof WindowEventMap>(name: E, listener: (event: WindowEventMap[E]) => void): void =>
    addEventListener(name, listener, { signal: ending.signal, capture: true })

  on('dragstart', () => (ours = true))
  // A drag may end without a word, where the system took it over; the pointer moves again only after it.
  for (const name of ['dragend', 'pointermove', 'pointerdown'] as const) on(name, stop)
  on('dragenter', (event) => {
    depth += 1
    look(event)
  })
  on('dragover', look)
  on('dragleave', (event) => {
    depth -= 1
    if (depth <= 0 || event.relatedTarget === null) stop()
  })
  on('drop', drop)
  return () => {
    ending.abort()
    stop()
  }
}

function look(event: DragEvent): void {
  const found = verdictOf(event)
  if (!found || !event.dataTransfer) return
  event.preventDefault()
  event.dataTransfer.dropEffect = found.valid ? 'copy' : 'none'
  if (verdict?.title !== found.title || verdict.detail !== found.detail) verdict = found
}

function verdictOf({ dataTransfer, target }: DragEvent): Verdict | null {
  if (!dataTransfer || ours) return null
  const found = judge([...dataTransfer.items])
  // A word that is dragged into a field is for the field.
  return isWriting(target) && !dataTransfer.types.includes('Files') ? null : found
}

function drop(event: DragEvent): void {
  const found = verdictOf(event)
  stop()
  if (!found || !event.dataTransfer) return
  event.preventDefault()
  event.stopPropagation()
  // Judged anew by what is known now: names.
  if (event.dataTransfer.types.includes('Files')) void addFiles(event.dataTransfer)
  else void addText(event.dataTransfer.getData('text/uri-list'))
}

function stop(): void {
  depth = 0
  ours = false
  if (verdict) verdict = null
}
