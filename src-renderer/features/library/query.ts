import { libraryQuery, type LibraryQuery } from '../../../src-main/contract/library.ts'

/** Finds everything, by name. */
export const everything: LibraryQuery = {
  q: '',
  provider: null,
  architecture: null,
  organization: null,
  visibility: 'any',
  state: 'any',
  origin: 'any',
  sort: 'name',
  order: 'asc'
}

const keys = Object.keys(everything) as (keyof LibraryQuery)[]

/** As the part of an address after "?": only what differs from `everything`. */
export function queryText(query: LibraryQuery): string {
  const params = new URLSearchParams()
  for (const key of keys) if (query[key] !== everything[key]) params.set(key, String(query[key]))
  return params.toString()
}

/** What an address says, as far as it makes sense; the rest is `everything`. */
export function queryOf(params: URLSearchParams): LibraryQuery {
  let query = everything
  for (const key of keys) {
    const read = libraryQuery.safeParse({ ...query, [key]: params.get(key) ?? everything[key] })
    if (read.success) query = read.data
  }
  return query
}

/** How a column is sorted when it is chosen: names upwards, the rest with the most first. */
export const naturalOrder = (sort: LibraryQuery['sort']): LibraryQuery['order'] =>
  sort === 'name' ? 'asc' : 'desc'

/** Whether anything is looked for, and not only sorted. */
export const isNarrowed = (query: LibraryQuery): boolean =>
  keys.some((key) => key !== 'sort' && key !== 'order' && query[key] !== everything[key])
