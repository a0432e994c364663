import type { RemoteBox, RemoteBoxQuery } from '../../../src-main/contract/standings.ts'
import { ask } from '../../api.ts'
import { GridRows } from '../../app/grid-rows.svelte.ts'

type Query = Omit<RemoteBoxQuery, 'offset' | 'limit'>

const pageSize = 500
/** As many as can be put into the queue at once. */
export const mostSelected = 1000

export const tagOf = ({ organization, box }: Pick<RemoteBox, 'organization' | 'box'>): string =>
  `${organization}/${box}`
const entryOf = (row: RemoteBox): [string, RemoteBox] => [tagOf(row), row]

/** The boxes of one remote that a person looks at, and those of them they have selected. */
export class RemoteBoxes extends GridRows<Query, RemoteBox, string, RemoteBox> {
  #query: Query = $state.raw({ remoteId: 0, standing: null, q: '' })

  constructor(remoteId: number) {
    super({ read, entryOf, readRange, mostSelected })
    this.#query = { ...this.#query, remoteId }
    this.found.find(this.#query)
  }

  get query(): Query {
    return this.#query
  }

  change(changes: Partial<Query>): void {
    this.#query = { ...this.#query, ...changes }
    this.clearSelection()
    this.found.find(this.#query)
  }
}

const read = (query: Query, offset: number, limit: number) =>
  ask('remotes.boxes', { ...query, offset, limit })

async function readRange(query: Query, from: number, to: number): Promise<[string, RemoteBox][]> {
  const rows: RemoteBox[] = []
  for (let offset = from; offset < to; offset += pageSize)
    rows.push(...(await read(query, offset, Math.min(pageSize, to - offset))).rows)
  return rows.map(entryOf)
}
