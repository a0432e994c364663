import { parentPort, workerData } from 'node:worker_threads'
import { libraryReader } from '../store/library-reader.ts'
import { listingSearch, searchReaders } from '../store/listing-search.ts'
import { openCatalogueReadOnly } from '../store/open.ts'
import { answerQuestions } from './questions.ts'
import type { SearchCalls, SearchWorkerData } from './search-messages.ts'

const db = openCatalogueReadOnly((workerData as SearchWorkerData).dataDir)
const readers = searchReaders(db)
const library = libraryReader(db, readers)
const calls = {
  search: listingSearch(db, undefined, readers),
  libraryFind: library.find,
  libraryRange: library.range,
  libraryFacets: library.facets
} satisfies SearchCalls

answerQuestions(parentPort, calls)
