import type { RemoteBox, Standing } from '../../../src-main/contract/standings.ts'
import type { SyncRequest } from '../../../src-main/contract/sync.ts'

/** What can be done about a box that is out of step with a remote. */
export interface Remedy {
  /** "Publish…" */
  readonly label: string
  readonly request: SyncRequest
  /** It may as well go the other way; the person says which. */
  readonly both: boolean
  readonly danger: boolean
}

type Kind = 'publish' | 'pull' | 'remove' | 'resolve'

/** The first of each is what is usually wanted. */
const kinds: Readonly<Record<Standing, readonly Kind[]>> = {
  'in-step': [],
  ahead: ['publish'],
  behind: ['pull'],
  apart: ['resolve'],
  'only-here': ['publish'],
  'only-there': ['pull'],
  'deleted-here': ['pull', 'remove'],
  'deleted-there': ['publish']
}

/** A mirrored box follows its remote: nothing goes from here to there. */
const ofMirrored: Readonly<Partial<Record<Kind, Kind>>> = { publish: 'pull', resolve: 'pull' }

type Row = Pick<RemoteBox, 'remoteId' | 'organization' | 'box' | 'standing' | 'mirrored'>

export const requestOf = (
  { remoteId, organization, box }: Pick<Row, 'remoteId' | 'organization' | 'box'>,
  direction: SyncRequest['direction']
): SyncRequest => ({ direction, remoteId, organization, box })

function remedy(row: Row, kind: Kind): Remedy {
  if (kind === 'remove')
    return {
      label: 'Delete there too…',
      request: { ...requestOf(row, 'publish'), withRemovals: true },
      both: false,
      danger: true
    }
  const label = { publish: 'Publish…', pull: 'Pull…', resolve: 'Resolve…' }[kind]
  return {
    label,
    request: requestOf(row, kind === 'pull' ? 'pull' : 'publish'),
    both: kind === 'resolve',
    danger: false
  }
}

/** What can be done about it, what is usually wanted first; nothing for what is in step. */
export const remediesOf = (row: Row): Remedy[] =>
  kinds[row.standing].map((kind) => remedy(row, (row.mirrored && ofMirrored[kind]) || kind))

/** Those that have something to bring in that direction. */
export const rowsFor = <R extends Row>(rows: readonly R[], direction: SyncRequest['direction']): R[] =>
  rows.filter((row) =>
    remediesOf(row).some(({ request, both, danger }) => !danger && (both || request.direction === direction))
  )
