import { program } from '../../support/system-packages.ts'
import { takeFileSeconds } from '../bytes.ts'
import { byTurns, median, times, type Benchmark } from '../harness.ts'
import { seconds } from '../processes.ts'

/** What an import does with the bytes, in a program that is already running, as it is in a window. */
export const importing: Benchmark = {
  name: 'import',
  needs: [program('openssl')],
  async run(bench) {
    const file = await bench.boxFile(bench.large)
    const took = await byTurns(bench.rounds, {
      openssl: () => seconds('openssl', ['dgst', '-sha256', file]),
      moved: () => takeFileSeconds(file, true),
      copied: () => takeFileSeconds(file, false)
    })
    const theirs = median(took.openssl)
    const row = (how: string, ours: number) => ({
      what: `import of a local 1 GiB file (${how}): hash, inspect, store`,
      ours: `${ours.toFixed(2)} s`,
      against: 'openssl dgst -sha256 of the same file',
      theirs: `${theirs.toFixed(2)} s`,
      figure: times(ours / theirs)
    })
    const moved = median(took.moved)
    return [
      {
        ...row('moved, no second copy', moved),
        goal: `≤ ${times(1.2)} its time`,
        met: bench.quick ? null : moved / theirs <= 1.2
      },
      // Where the file system can share blocks there is no second copy either, and this row is like the one above.
      { ...row('copied', median(took.copied)), goal: null, met: null }
    ]
  }
}
