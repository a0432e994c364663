import { serve } from '../../support/product.ts'
import { byTurns, median, milliseconds, times, type Benchmark } from '../harness.ts'

/** From starting the program to the line that says it is ready. */
export const start: Benchmark = {
  name: 'start',
  needs: [],
  async run(bench) {
    const many = await bench.catalogue(bench.boxes(100_000))
    const none = bench.folder('data')
    const took = await byTurns(bench.rounds * 2, { many: () => startMs(many), none: () => startMs(none) })
    const [ours, theirs] = [median(took.many), median(took.none)]
    return [
      {
        what: 'start with 100,000 boxes in the folder',
        ours: milliseconds(ours),
        against: 'start with none',
        theirs: milliseconds(theirs),
        figure: times(ours / theirs),
        goal: `≤ ${times(1.2)}`,
        met: bench.quick ? null : ours / theirs <= 1.2
      }
    ]
  }
}

async function startMs(dataDir: string): Promise<number> {
  const begin = performance.now()
  const server = await serve(dataDir, ['--owner', 'bench'])
  const took = performance.now() - begin
  await server.stop()
  return took
}
