import { Search, type SearchQuery } from '../../src-main/catalog/search.ts'
import { Random } from '../../src-main/catalog/random.ts'
import { anonymous } from '../../src-main/domain/model.ts'

/** How long searches took, in milliseconds, through the service and its thread. */
export interface SearchLatencies {
  readonly p50: number
  readonly p99: number
  readonly max: number
  readonly searches: number
  /** The query that took longest. */
  readonly slowest: SearchQuery
}

/** What people type into a catalogue made by the demo command: frequent, rare, found nowhere, cut short, whole tags. */
export const words = [
  'u d 2 x q ub de 22 ku zz ubu deb doc ker 9-k bun xen zzz',
  'ubuntu debian docker rocky windows haiku gentoo ready monthly for with a',
  '22.04 ubuntu-2 ubuntu-22.04 debian12 rawhide kubernet lunar northwor crew nowhere',
  'northworks/ubuntu deltacrew/haiku workshop postgres hardened optional c++ - orks/ubu'
].flatMap((line) => line.split(' '))
export const providers = ['virtualbox', 'libvirt', 'utm', 'xenserver', 'nosuch']
export const architectures = ['amd64', 'arm64', 's390x', 'unknown', 'mips']
const sorts = ['downloads', 'created', 'updated'] as const
const orders = ['desc', 'asc'] as const

/** The same mix every time: 0 to 3 words, with and without filters, every sort and order, pages 1 to 10 of 10 to 100. */
export function searchMix(count: number): SearchQuery[] {
  const random = new Random(7)
  return Array.from({ length: count }, () => ({
    q: Array.from({ length: Math.floor(random.next() * 4) }, () => random.of(words)).join(' '),
    provider: random.chance(0.3) ? random.of(providers) : null,
    architecture: random.chance(0.3) ? random.of(architectures) : null,
    sort: random.of(sorts),
    order: random.of(orders),
    limit: random.of([10, 10, 25, 100]),
    page: random.of([1, 1, 1, 2, 3, 5, 10])
  }))
}

/** Each query of the mix once a round, one after the other; a first round that does not count warms up. */
export async function searchLatencies(
  dataDir: string,
  rounds: number,
  privateIn: number[] | 'all' = []
): Promise<SearchLatencies> {
  const search = new Search(dataDir, { organizationsOf: () => privateIn })
  const mix = searchMix(500)
  const took: { ms: number; query: SearchQuery }[] = []
  try {
    for (let round = 0; round <= rounds; round++) {
      for (const query of mix) {
        const start = performance.now()
        await search.find(anonymous, query)
        if (round > 0) took.push({ ms: performance.now() - start, query })
      }
    }
  } finally {
    await search.close()
  }
  took.sort((a, b) => a.ms - b.ms)
  const at = (share: number) => took[Math.min(took.length - 1, Math.floor(took.length * share))]
  const [middle, late, last] = [at(0.5), at(0.99), at(1)]
  if (!middle || !late || !last) throw new Error('at least one round is needed')
  return { p50: middle.ms, p99: late.ms, max: last.ms, searches: took.length, slowest: last.query }
}
