import { program } from '../../support/system-packages.ts'
import { median, type Benchmark, type Row } from '../harness.ts'
import { curlSeconds, peakMemory, resetPeakMemory } from '../processes.ts'
import { startRegistry, type Registry } from '../registry.ts'

const mebibyte = 1024 * 1024

/** The most memory the server has in use during one transfer, for a file and for one ten times its size. */
export const memory: Benchmark = {
  name: 'memory',
  needs: [program('curl')],
  async run(bench) {
    const large = await bench.boxFile(bench.large)
    const small = await bench.boxFile(Math.round(bench.large / 10))
    const peaks = { upload: { small: [], large: [] }, download: { small: [], large: [] } } as Peaks
    for (let round = 0; round < bench.rounds; round++) {
      const registry = await startRegistry(bench)
      try {
        for (const [size, file] of Object.entries({ small, large }) as ['small' | 'large', string][]) {
          const box = await registry.addBox(size)
          const url = await box.uploadUrl()
          peaks.upload[size].push(await peakDuring(registry, () => curlSeconds('-T', file, url)))
          await box.release()
          peaks.download[size].push(await peakDuring(registry, () => curlSeconds(box.downloadUrl)))
        }
      } finally {
        await registry.stop()
      }
    }
    return [row('upload', peaks.upload), row('download', peaks.download)]
  }
}

type Peaks = Record<'upload' | 'download', Record<'small' | 'large', number[]>>

async function peakDuring({ pid }: Registry, transfer: () => Promise<unknown>): Promise<number> {
  resetPeakMemory(pid)
  await transfer()
  return peakMemory(pid)
}

function row(what: string, peaks: { small: number[]; large: number[] }): Row {
  const [small, large] = [median(peaks.small) / mebibyte, median(peaks.large) / mebibyte]
  return {
    what: `peak memory of one ${what}, 1 GiB`,
    ours: `${large.toFixed(0)} MiB`,
    against: 'a tenth of it',
    theirs: `${small.toFixed(0)} MiB`,
    figure: `${large - small >= 0 ? '+' : ''}${(large - small).toFixed(1)} MiB`,
    goal: '< +32 MiB',
    met: large - small < 32
  }
}
