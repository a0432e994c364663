import type { LibraryFacets, LibraryPage, LibraryQuery, LibraryRange } from '../contract/library.ts'
import { libraryFacets } from './library-facets.ts'
import { libraryRows } from './library-rows.ts'
import { librarySearch } from './library-search.ts'
import type { SearchReaders } from './listing-search.ts'
import type { Db } from './open.ts'
import { searchStamps } from './search-stamps.ts'

/** A part of what a query finds. */
export interface LibraryWindow {
  readonly query: LibraryQuery
  readonly offset: number
  readonly limit: number
}

/** The library's view of the catalogue; each answer is of one moment. */
export interface LibraryReader {
  find(window: LibraryWindow): LibraryPage
  range(range: { readonly query: LibraryQuery; readonly from: number; readonly to: number }): LibraryRange
  facets(): LibraryFacets
}

export function libraryReader(db: Db, readers: SearchReaders): LibraryReader {
  const search = librarySearch(db, readers)
  const { rows, sizes } = libraryRows(db)
  const facets = libraryFacets(db, readers.postings)
  const stamps = searchStamps(db)
  return {
    find: db.transaction(({ query, offset, limit }: LibraryWindow) => {
      const boxIds = search(query)
      return { total: boxIds.length, rows: rows(boxIds.subarray(offset, offset + limit)) }
    }),
    range: db.transaction(({ query, from, to }: Parameters<LibraryReader['range']>[0]) => {
      const boxIds = search(query).subarray(from, to)
      const sized = [...readers.rankings.blocks(stamps.all(), 'size', 'asc')]
      return { ids: [...boxIds], sizes: sizes(boxIds, sized) }
    }),
    facets: db.transaction(() => facets(stamps.all()))
  }
}
