import { byTurns, median, milliseconds, times, type Benchmark } from '../harness.ts'
import { searchLatencies } from '../search.ts'

/** The slowest hundredth of a fixed mix of searches, in a small and in a huge catalogue. */
export const search: Benchmark = {
  name: 'search',
  needs: [],
  async run(bench) {
    const few = await bench.catalogue(bench.boxes(10_000))
    const many = await bench.catalogue(bench.boxes(1_000_000))
    const p99 = async (dataDir: string): Promise<number> => (await searchLatencies(dataDir, 1)).p99
    const took = await byTurns(bench.rounds, { many: () => p99(many), few: () => p99(few) })
    const [ours, theirs] = [median(took.many), median(took.few)]
    const row = {
      what: 'search, any query, 1,000,000 boxes, p99',
      ours: milliseconds(ours),
      against: 'the same with 10,000 boxes',
      theirs: milliseconds(theirs)
    }
    return [
      { ...row, figure: milliseconds(ours), goal: '≤ 25 ms', met: bench.quick ? null : ours <= 25 },
      {
        ...row,
        figure: times(ours / theirs),
        goal: `≤ ${times(3)}`,
        met: bench.quick ? null : ours / theirs <= 3
      }
    ]
  }
}
