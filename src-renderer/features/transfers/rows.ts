import type { Arrival, ClientUpload, Transfers } from '../../../src-main/contract/arrivals.ts'
import type { RemoteTransfer } from '../../../src-main/contract/transfers.ts'
import type { Sending } from '../drop/sending.svelte.ts'
import { ofHeldRemote, ofRemote, type RemoteRowState } from './remote-rows.ts'

/** Where a row stands: who has to do something next. */
export type Group = 'running' | 'attention' | 'waiting' | 'finished'

export type RowState = Arrival['state'] | 'sending' | 'receiving' | RemoteRowState

/** Something on its way, however it comes or goes, as a line of the list. */
export interface Row {
  readonly id: string
  readonly group: Group
  readonly state: RowState
  /** To this computer, or from it. */
  readonly direction: 'in' | 'out'
  /** The state in a word or two. */
  readonly word: string
  /** The file; for a client or a remote the box and what of it. */
  readonly what: string
  /** Where it goes or comes from: "acme/base 1.2.0 for virtualbox on amd64", "To Lab". */
  readonly where: string | null
  readonly done: number
  readonly total: number | null
  readonly bytesPerSecond: number | null
  readonly problem: readonly string[] | null
  readonly of:
    | { readonly kind: 'arrival'; readonly arrival: Arrival }
    | { readonly kind: 'sending'; readonly sending: Sending }
    | { readonly kind: 'client'; readonly upload: ClientUpload }
    | { readonly kind: 'remote'; readonly transfer: RemoteTransfer }
}

/** Where an arrival goes, as far as that is said. */
export function targetOf({ organization, name, version, provider, architecture }: Arrival['draft']): string {
  const tag = name === '' ? organization : `${organization}/${name}`
  return [tag, version, provider && `for ${provider}`, architecture && `on ${architecture}`]
    .filter((part) => part !== '')
    .join(' ')
}

const groups: Record<Arrival['state'], Group> = {
  waiting: 'waiting',
  reading: 'running',
  ready: 'attention',
  publishing: 'running',
  published: 'finished',
  failed: 'attention',
  cancelled: 'finished'
}
const words: Record<Arrival['state'], string> = {
  waiting: 'Waiting',
  reading: 'Reading',
  ready: 'Ready to publish',
  publishing: 'Publishing',
  published: 'Published',
  failed: 'Failed',
  cancelled: 'Cancelled'
}

/** What is to be published and does not say where to cannot be, as it is. */
const lacks = ({ name, version, provider }: Arrival['draft']): boolean =>
  [name, version, provider].some((part) => part.trim() === '')

function wordOf({ state, kind, draft }: Arrival): string {
  if (state === 'reading' && kind === 'stream') return 'Sending'
  return state === 'ready' && lacks(draft) ? 'To be corrected' : words[state]
}

/** What is shown the same as before is the same row, so that lists draw only what changed. */
function remembering<Source extends object>(make: (source: Source) => Row): (source: Source) => Row {
  const known = new WeakMap<Source, Row>()
  return (source) => {
    const row = known.get(source) ?? make(source)
    known.set(source, row)
    return row
  }
}

const ofArrival = remembering((arrival: Arrival): Row => {
  const { id, state, confirmed, fileName, draft, size, bytesRead, bytesPerSecond, problem } = arrival
  const soon = state === 'ready' && confirmed
  return {
    id,
    group: soon ? 'running' : groups[state],
    state: soon ? 'publishing' : state,
    direction: 'in',
    word: soon ? words.publishing : wordOf(arrival),
    what: fileName,
    where: targetOf(draft),
    done: bytesRead,
    total: size,
    bytesPerSecond,
    problem: state === 'failed' || state === 'ready' ? problem : null,
    of: { kind: 'arrival', arrival }
  }
})

const ofSending = remembering((sending: Sending): Row => ({
  direction: 'in',
  id: sending.id,
  group: sending.state === 'failed' ? 'attention' : sending.state === 'sending' ? 'running' : 'waiting',
  state: sending.state === 'queued' ? 'waiting' : sending.state,
  word: sending.state === 'failed' ? 'Failed' : sending.state === 'sending' ? 'Sending' : 'Waiting',
  what: sending.fileName,
  where: null,
  done: 0,
  total: sending.size,
  bytesPerSecond: null,
  problem: sending.problem,
  of: { kind: 'sending', sending }
}))

const ofClient = remembering((upload: ClientUpload): Row => ({
  direction: 'in',
  id: upload.id,
  group: 'running',
  state: 'receiving',
  word: 'Receiving',
  what: upload.what,
  where: 'Sent by a client',
  done: upload.bytesRead,
  total: upload.size,
  bytesPerSecond: upload.bytesPerSecond,
  problem: null,
  of: { kind: 'client', upload }
}))
const ofFreeTransfer = remembering(ofRemote)
const ofHeldTransfer = remembering(ofHeldRemote)

/** Everything there is, each once: what a page sends is the product's from the moment that knows of it. */
export function rowsOf(
  { arrivals, clientUploads, remoteTransfers, held }: Transfers,
  sendings: readonly Sending[]
): Row[] {
  const ids = new Set(arrivals.map(({ id }) => id))
  return [
    ...clientUploads.map(ofClient),
    ...sendings.filter(({ id }) => !ids.has(id)).map(ofSending),
    ...arrivals.map(ofArrival),
    ...remoteTransfers.map(held ? ofHeldTransfer : ofFreeTransfer)
  ]
}

/** The box a row is of, where there is one to open. */
export function boxOf({ of, state }: Row): { readonly organization: string; readonly name: string } | null {
  switch (of.kind) {
    case 'client':
      return of.upload.box
    case 'arrival':
      return state === 'published' ? of.arrival.draft : null
    case 'remote':
      return state === 'done' ? { organization: of.transfer.organization, name: of.transfer.box } : null
    case 'sending':
      return null
  }
}

/** How much is under way in all. */
export interface Sum {
  readonly running: number
  readonly waiting: number
  readonly done: number
  /** Null where a client does not say how much it will send. Of what nobody has looked at yet nothing is known. */
  readonly total: number | null
  readonly bytesPerSecond: number
}

export function sumOf(rows: readonly Row[]): Sum {
  const busy = rows.filter(({ group }) => group === 'running' || group === 'waiting')
  const totals = busy
    .filter(({ group, total }) => group === 'running' || total !== null)
    .map(({ total }) => total)
  return {
    running: busy.filter(({ group }) => group === 'running').length,
    waiting: busy.filter(({ group }) => group === 'waiting').length,
    done: busy.reduce((sum, { done }) => sum + done, 0),
    total: totals.includes(null) ? null : totals.reduce<number>((sum, total) => sum + (total ?? 0), 0),
    bytesPerSecond: busy.reduce((sum, row) => sum + (row.bytesPerSecond ?? 0), 0)
  }
}

/**
 * In the order they go: what clients send is read already, then files and what goes to and from remotes, each by its
 * turn; what this page has yet to send comes last.
 */
export const byTurn = (a: Row, b: Row): number =>
  queues[a.of.kind] - queues[b.of.kind] || turnOf(a) - turnOf(b)

const queues: Record<Row['of']['kind'], number> = { client: 0, arrival: 1, remote: 2, sending: 3 }

const turnOf = ({ of }: Row): number =>
  of.kind === 'arrival' ? of.arrival.position : of.kind === 'remote' ? of.transfer.position : 0
