import { program } from '../../support/system-packages.ts'
import { boxyard } from '../../support/product.ts'
import { byTurns, median, times, type Bench, type Benchmark } from '../harness.ts'
import { seconds } from '../processes.ts'

/** A whole `boxyard import` of a large file less that of a tiny one, which is what starting the program takes. */
export const importing: Benchmark = {
  name: 'import',
  needs: [program('openssl')],
  async run(bench) {
    const file = await bench.boxFile(bench.large)
    const tiny = await bench.boxFile(1024)
    const took = await byTurns(bench.rounds, {
      openssl: () => seconds('openssl', ['dgst', '-sha256', file]),
      large: () => importSeconds(bench, file),
      tiny: () => importSeconds(bench, tiny)
    })
    const [ours, theirs] = [median(took.large) - median(took.tiny), median(took.openssl)]
    return [
      {
        what: 'import of a local 1 GiB file: hash, inspect, store',
        ours: `${ours.toFixed(2)} s`,
        against: 'openssl dgst -sha256 of the same file',
        theirs: `${theirs.toFixed(2)} s`,
        figure: times(ours / theirs),
        goal: `≤ ${times(1.2)} its time`,
        met: bench.quick ? null : ours / theirs <= 1.2
      }
    ]
  }
}

async function importSeconds(bench: Bench, file: string): Promise<number> {
  const data = ['--data', bench.folder('data')]
  await boxyard(['user', 'add', 'bench', ...data])
  await boxyard(['org', 'add', 'lab', '--owner', 'bench', ...data])
  const start = performance.now()
  await boxyard(['import', file, '--org', 'lab', '--name', 'image', '--box-version', '1.0.0', ...data])
  return (performance.now() - start) / 1000
}
