import type { LibraryReader } from '../store/library-reader.ts'
import type { ListingRequest } from '../store/listing-search.ts'

/** What the worker is started with. */
export interface SearchWorkerData {
  readonly dataDir: string
}

/** What can be asked of the worker. */
export interface SearchCalls {
  search(request: ListingRequest): number[]
  libraryFind: LibraryReader['find']
  libraryRange: LibraryReader['range']
  libraryFacets: LibraryReader['facets']
}
export type SearchCall = keyof SearchCalls
