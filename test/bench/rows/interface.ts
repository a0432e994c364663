import { program } from '../../support/system-packages.ts'
import { milliseconds, times, type Benchmark } from '../harness.ts'
import { feelOfLibrary } from '../interface.ts'

const megabyte = 1_000_000
/** All but the slowest twentieth: on a machine that does other things too, the slowest is another program's. */
const nearlyAll = (samples: readonly number[]): number =>
  samples.toSorted((a, b) => a - b)[Math.floor(samples.length * 0.95)] ?? NaN

/** The library in a window, with very many boxes and with few. */
export const interfaceFeel: Benchmark = {
  name: 'interface',
  needs: [program('chromium')],
  async run(bench) {
    const few = await feelOfLibrary(await bench.catalogue(bench.boxes(10_000)))
    const many = await feelOfLibrary(await bench.catalogue(bench.boxes(100_000)))
    const met = (holds: boolean): boolean | null => (bench.quick ? null : holds)
    const against = 'the same with a tenth of the boxes'
    const size = (bytes: number): string => `${(bytes / megabyte).toFixed(1)} MB`
    return [
      {
        what: 'keystroke until its rows are painted, 100,000 boxes, p95',
        ours: milliseconds(nearlyAll(many.typing)),
        against,
        theirs: milliseconds(nearlyAll(few.typing)),
        figure: `${milliseconds(nearlyAll(many.typing))} (${times(nearlyAll(many.typing) / nearlyAll(few.typing))})`,
        goal: '< 100 ms',
        met: met(nearlyAll(many.typing) < 100)
      },
      {
        what: 'longest task while scrolling, 100,000 boxes',
        ours: milliseconds(many.longestTask),
        against,
        theirs: milliseconds(few.longestTask),
        figure: milliseconds(many.longestTask),
        goal: '≤ 50 ms',
        met: met(many.longestTask <= 50)
      },
      {
        what: "the page's heap after that",
        ours: size(many.heap),
        against,
        theirs: size(few.heap),
        figure: size(many.heap),
        goal: '< 150 MB',
        met: met(many.heap < 150 * megabyte)
      }
    ]
  }
}
