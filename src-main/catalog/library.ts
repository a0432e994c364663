import type { LibraryFacets, LibraryPage, LibraryQuery, LibraryRange } from '../contract/library.ts'
import { queryFault } from '../domain/search-words.ts'
import { refuseFaults } from '../domain/texts.ts'
import type { LibraryWindow } from '../store/library-reader.ts'
import type { Search } from './search.ts'

/**
 * Every box there is, also private ones and those without a release, for the person at this machine: it asks for no
 * permission. Answers come from the thread of search.
 */
export class Library {
  readonly #search: Pick<Search, 'ask'>

  constructor(search: Pick<Search, 'ask'>) {
    this.#search = search
  }

  /** How many boxes a query finds, and some of them in its order. */
  async find(window: LibraryWindow): Promise<LibraryPage> {
    refuseFaults([queryFault(window.query.q)])
    return this.#search.ask('libraryFind', window)
  }

  /** Ids and sizes of those from a place to before another, without regard to how many they are. */
  async range(range: { query: LibraryQuery; from: number; to: number }): Promise<LibraryRange> {
    refuseFaults([queryFault(range.query.q)])
    return this.#search.ask('libraryRange', range)
  }

  /** What there is to filter by; of each kind a bounded number. */
  facets(): Promise<LibraryFacets> {
    return this.#search.ask('libraryFacets')
  }
}
