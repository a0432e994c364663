import { parentPort, workerData } from 'node:worker_threads'
import { libraryReader } from '../store/library-reader.ts'
import { listingSearch, searchReaders } from '../store/listing-search.ts'
import { openCatalogueReadOnly } from '../store/open.ts'
import type { SearchAnswer, SearchCalls, SearchJob, SearchWorkerData } from './search-messages.ts'

const db = openCatalogueReadOnly((workerData as SearchWorkerData).dataDir)
const readers = searchReaders(db)
const library = libraryReader(db, readers)
const calls: SearchCalls = {
  search: listingSearch(db, undefined, readers),
  libraryFind: library.find,
  libraryRange: library.range,
  libraryFacets: library.facets
}

parentPort?.on('message', (job: SearchJob) => {
  parentPort?.postMessage(answer(job))
})

function answer({ number, call, argument }: SearchJob): SearchAnswer {
  try {
    const carryOut = calls[call] as (argument: unknown) => unknown
    return { number, value: carryOut(argument) }
  } catch (failure) {
    return { number, failure }
  }
}
