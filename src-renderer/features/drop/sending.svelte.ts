import type { ArrivalDraft } from '../../../src-main/contract/arrivals.ts'
import { ask, sendFile } from '../../api.ts'
import { refusalOf } from '../../app/live.svelte.ts'
import { letGo, onSteps, takeIn, transfers } from '../transfers/transfers.svelte.ts'

/** A file this page has to send, or could not: those that have arrived are the product's. */
export interface Sending {
  readonly id: string
  readonly fileName: string
  readonly size: number
  readonly state: 'queued' | 'sending' | 'failed'
  readonly problem: readonly string[] | null
}

type Draft = Partial<ArrivalDraft>

/** The product reads what it is sent at once; more at the same time would only make each slower. */
const atOnce = 2

let list = $state.raw<readonly Sending[]>([])
/** Kept while the page lives, so that a retry has something to send. */
const sources = new Map<string, { file: File; draft: Draft | undefined }>()
const running = new Map<string, AbortController>()

export const sending = {
  /** In the order they are sent. */
  get list(): readonly Sending[] {
    return list
  }
}

/** Sends files as arrivals of their own, some at a time; goes on whatever place is shown. Answers their ids. */
export function send(files: readonly File[], draft?: Draft): string[] {
  const added = files.map((file): Sending => {
    const id = crypto.randomUUID()
    sources.set(id, { file, draft })
    return { id, fileName: file.name, size: file.size, state: 'queued', problem: null }
  })
  list = [...list, ...added]
  pump()
  return added.map(({ id }) => id)
}

/** Whether a file can be sent once more without being dropped again. */
export const canResend = (id: string): boolean => sources.has(id)

/** Sends a file once more, as a new arrival with what the person said of it; the one that failed is forgotten. */
export async function resend(id: string): Promise<string | null> {
  const source = sources.get(id)
  if (!source) return null
  const failed = transfers.arrival(id)
  const [next = null] = send([source.file], failed ? failed.draft : source.draft)
  forget([id])
  if (failed) {
    await ask('arrivals.dismiss', { ids: [id] })
    letGo([id])
  }
  return next
}

/** Stops sending, or does not begin. Answers whether there was anything of it in this page to stop. */
export async function cancelSending(id: string): Promise<boolean> {
  const controller = running.get(id)
  const known = list.some((entry) => entry.id === id)
  // First said, then hung up: the other way round it would be a connection that broke.
  if (controller) {
    const cancelled = await ask('arrivals.cancel', { id }).catch(unlessMissing)
    if (cancelled) takeIn([cancelled])
    controller.abort()
  }
  list = list.filter((entry) => entry.id !== id)
  return known
}

/** What has only just begun to be sent may not be there yet. */
function unlessMissing(error: unknown): null {
  if (refusalOf(error).kind === 'missing') return null
  throw error
}

/** Lets go of files, so that they can be freed. */
export function forget(ids: readonly string[]): void {
  if (ids.length === 0) return
  const gone = new Set(ids)
  for (const id of ids) sources.delete(id)
  list = list.filter(({ id }) => !gone.has(id))
}

function pump(): void {
  for (const { id, state } of list) {
    if (running.size >= atOnce) return
    const source = sources.get(id)
    if (state === 'queued' && source) void sendOne(id, source)
  }
}

async function sendOne(id: string, { file, draft }: { file: File; draft: Draft | undefined }): Promise<void> {
  if (!sendFile) return
  const controller = new AbortController()
  running.set(id, controller)
  change(id, { state: 'sending' })
  try {
    const reply = await sendFile(file, { id, signal: controller.signal, ...(draft && { draft }) })
    if (reply.ok) {
      takeIn([reply.value])
      list = list.filter((entry) => entry.id !== id)
    } else change(id, { state: 'failed', problem: reply.refusal.sentences })
  } catch (error) {
    if (!controller.signal.aborted) change(id, { state: 'failed', problem: refusalOf(error).sentences })
  } finally {
    running.delete(id)
    pump()
  }
}

function change(id: string, changes: Partial<Sending>): void {
  list = list.map((entry) => (entry.id === id ? { ...entry, ...changes } : entry))
}

// What is published is never sent again.
onSteps((steps) =>
  forget(steps.filter(({ arrival }) => arrival.state === 'published').map(({ arrival }) => arrival.id))
)

// What is being sent is in the page alone: closing it would end it.
addEventListener('beforeunload', (event) => {
  if (list.some(({ state }) => state !== 'failed')) event.preventDefault()
})
