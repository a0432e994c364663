import { parentPort, workerData } from 'node:worker_threads'
import { listingSearch, type ListingRequest } from '../store/listing-search.ts'
import { openCatalogueReadOnly } from '../store/open.ts'

/** What the worker is started with. */
export interface SearchWorkerData {
  readonly dataDir: string
}

/** A search, and its answer under the same number. */
export interface SearchJob {
  readonly number: number
  readonly request: ListingRequest
}
export type SearchAnswer =
  | { readonly number: number; readonly boxIds: number[] }
  | { readonly number: number; readonly failure: unknown }

const search = listingSearch(openCatalogueReadOnly((workerData as SearchWorkerData).dataDir))

parentPort?.on('message', ({ number, request }: SearchJob) => {
  parentPort?.postMessage(answer(number, request))
})

function answer(number: number, request: ListingRequest): SearchAnswer {
  try {
    return { number, boxIds: search(request) }
  } catch (failure) {
    return { number, failure }
  }
}
