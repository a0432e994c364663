import type { Payload } from '../../src-main/contract/desk.ts'
import { ask } from '../api.ts'

type Value = Payload<'preferences.write'>['value']

let known = $state.raw<Readonly<Record<string, unknown>>>({})
const unwritten = new Map<string, Value>()
let timer: ReturnType<typeof setTimeout> | undefined
const settleMs = 250

/** What the interface remembers between runs, by key. It is a convenience: what cannot be kept is forgotten in silence. */
export const preferences = {
  /** Whoever asks has to be ready for anything: an older program may have written it. */
  get: (key: string): unknown => known[key],
  set(key: string, value: Value): void {
    if (JSON.stringify(known[key]) === JSON.stringify(value)) return
    known = { ...known, [key]: value }
    unwritten.set(key, value)
    clearTimeout(timer)
    timer = setTimeout(write, settleMs)
  }
}

/** To be awaited once, before anything asks. */
export async function readPreferences(): Promise<void> {
  known = { ...(await ask('preferences.read', {})), ...known }
}

function write(): void {
  for (const [key, value] of unwritten) ask('preferences.write', { key, value }).catch(() => undefined)
  unwritten.clear()
}

addEventListener('pagehide', write)
