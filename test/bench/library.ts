import { Library } from '../../src-main/catalog/library.ts'
import { Random } from '../../src-main/catalog/random.ts'
import { Search } from '../../src-main/catalog/search.ts'
import type { LibraryQuery } from '../../src-main/contract/library.ts'
import { openCatalogue } from '../../src-main/store/open.ts'
import { searchStamps } from '../../src-main/store/search-stamps.ts'
import { architectures, providers, words } from './search.ts'

/** How long the library took to answer, in milliseconds, through the service and its thread. */
export interface LibraryLatencies {
  /** A query nobody has asked since anything changed: all of what it finds, and the first rows. */
  readonly first: Spread
  /** Rows from any place in what was found just before. */
  readonly scrolling: Spread
  /** The query that took longest. */
  readonly slowest: LibraryQuery
}

interface Spread {
  readonly p50: number
  readonly p99: number
  readonly max: number
}

const windowLength = 100
const sorts = ['name', 'downloads', 'created', 'updated', 'size'] as const

/** The same mix every time: words as they are being typed, with and without filters, in every order. */
function libraryMix(count: number): LibraryQuery[] {
  const random = new Random(11)
  return Array.from({ length: count }, () => {
    const q = Array.from({ length: Math.floor(random.next() * 4) }, () => random.of(words)).join(' ')
    return {
      q: random.chance(0.5) ? q.slice(0, Math.ceil(random.next() * q.length)) : q,
      provider: random.chance(0.2) ? random.of(providers) : null,
      architecture: random.chance(0.2) ? random.of(architectures) : null,
      organization: random.chance(0.1) ? random.of(['northworks', 'deltacrew', 'nobody']) : null,
      visibility: random.chance(0.2) ? random.of(['public', 'private'] as const) : 'any',
      state: random.chance(0.2) ? random.of(['unreleased', 'here', 'elsewhere'] as const) : 'any',
      origin: random.chance(0.1) ? random.of(['own', 'mirrored', 'at-remote'] as const) : 'any',
      sort: random.of(sorts),
      order: random.of(['asc', 'desc'] as const)
    }
  })
}

/** Each query of the mix once, after all that was found in a first round has become void. */
export async function libraryLatencies(dataDir: string): Promise<LibraryLatencies> {
  const search = new Search(dataDir, { organizationsOf: () => 'all' })
  const library = new Library(search)
  const random = new Random(5)
  const first: { ms: number; query: LibraryQuery }[] = []
  const scrolling: number[] = []
  try {
    for (const counts of [false, true]) {
      const db = openCatalogue(dataDir)
      searchStamps(db).renewAll()
      db.close()
      for (const query of libraryMix(500)) {
        let start = performance.now()
        const { total } = await library.find({ query, offset: 0, limit: windowLength })
        if (counts) first.push({ ms: performance.now() - start, query })
        const offset = Math.floor(random.next() * Math.max(0, total - windowLength))
        start = performance.now()
        await library.find({ query, offset, limit: windowLength })
        if (counts) scrolling.push(performance.now() - start)
      }
    }
  } finally {
    await search.close()
  }
  const slowest = first.reduce((a, b) => (b.ms > a.ms ? b : a)).query
  return { first: spreadOf(first.map(({ ms }) => ms)), scrolling: spreadOf(scrolling), slowest }
}

function spreadOf(samples: readonly number[]): Spread {
  const sorted = samples.toSorted((a, b) => a - b)
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { p50: at(0.5), p99: at(0.99), max: at(1) }
}
