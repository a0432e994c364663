import { copyFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { program } from '../../support/system-packages.ts'
import { byTurns, median, mibPerSecond, times, type Benchmark } from '../harness.ts'
import { curlSeconds, startNginx } from '../processes.ts'
import { startRegistry } from '../registry.ts'

export const download: Benchmark = {
  name: 'download',
  needs: [program('nginx', 'nginx-light'), program('curl')],
  async run(bench) {
    const file = await bench.boxFile(bench.large)
    const { size } = statSync(file)
    const nginx = await startNginx(bench.folder('nginx'), 'sendfile on; tcp_nopush on;')
    const registry = await startRegistry(bench)
    try {
      copyFileSync(file, join(nginx.folder, 'image.box'))
      const box = await registry.addBox('download')
      await curlSeconds('-T', file, await box.uploadUrl())
      await box.release()
      const took = await byTurns(bench.rounds, {
        nginx: () => curlSeconds(`${nginx.url}/image.box`),
        ours: () => curlSeconds(box.downloadUrl)
      })
      const [ours, theirs] = [median(took.ours), median(took.nginx)]
      return [
        {
          what: 'download of 1 GiB',
          ours: mibPerSecond(size, ours),
          against: 'nginx static GET with sendfile',
          theirs: mibPerSecond(size, theirs),
          figure: times(theirs / ours),
          goal: `≥ ${times(0.8)} its throughput`,
          met: bench.quick ? null : theirs / ours >= 0.8
        }
      ]
    } finally {
      await Promise.all([registry.stop(), nginx.stop()])
    }
  }
}
