import { byTurns, median, milliseconds, times, type Benchmark } from '../harness.ts'
import { libraryLatencies } from '../library.ts'

/** What the interface waits for in the library: all of what a query finds, and then rows from anywhere in it. */
export const library: Benchmark = {
  name: 'library',
  needs: [],
  async run(bench) {
    const catalogues = {
      few: await bench.catalogue(bench.boxes(10_000)),
      usual: await bench.catalogue(bench.boxes(100_000)),
      many: await bench.catalogue(bench.boxes(1_000_000))
    }
    const scrolling: number[] = []
    const first = async (dataDir: string): Promise<number> => (await libraryLatencies(dataDir)).first.p99
    const took = await byTurns(bench.rounds, {
      few: () => first(catalogues.few),
      usual: async () => {
        const latencies = await libraryLatencies(catalogues.usual)
        scrolling.push(latencies.scrolling.p99)
        return latencies.first.p99
      },
      many: () => first(catalogues.many)
    })
    const [few, usual, many] = [median(took.few), median(took.usual), median(took.many)]
    const within = (most: number, ms: number) => ({
      figure: milliseconds(ms),
      goal: `≤ ${most} ms`,
      met: bench.quick ? null : ms <= most
    })
    const against = { against: 'the same with 10,000 boxes', theirs: milliseconds(few) }
    const scrolled = median(scrolling)
    return [
      {
        what: 'library, any query, 100,000 boxes, p99',
        ours: milliseconds(usual),
        ...against,
        ...within(30, usual)
      },
      {
        what: 'library, any query, 1,000,000 boxes, p99',
        ours: milliseconds(many),
        ...against,
        ...within(300, many)
      },
      {
        what: 'library, scrolling through 100,000 boxes, p99',
        ours: milliseconds(scrolled),
        against: 'the query itself',
        theirs: milliseconds(usual),
        figure: times(scrolled / usual),
        goal: `≤ ${times(1)}`,
        met: bench.quick ? null : scrolled <= usual
      }
    ]
  }
}
