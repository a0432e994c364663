import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { program } from '../../support/system-packages.ts'
import { byTurns, makeDifferent, median, mibPerSecond, times, type Benchmark } from '../harness.ts'
import { curlSeconds, startNginx } from '../processes.ts'
import { startRegistry } from '../registry.ts'

/** nginx neither hashes nor syncs what it takes; it may use one buffer of 1 MiB, or what it has when nobody tells it. */
export const upload: Benchmark = {
  name: 'upload',
  needs: [program('nginx', 'nginx-light'), program('curl')],
  async run(bench) {
    const file = await bench.boxFile(bench.large)
    const { size } = statSync(file)
    const tuned = await startNginx(bench.folder('nginx'), 'dav_methods PUT; client_body_buffer_size 1m;')
    const plain = await startNginx(bench.folder('nginx'), 'dav_methods PUT;')
    const registry = await startRegistry(bench)
    try {
      const box = await registry.addBox('upload')
      const took = await byTurns(bench.rounds, {
        tuned: () => curlSeconds('-T', file, `${tuned.url}/upload.box`),
        ours: async () => {
          // Other bytes each time, or they would be found to be there already; the last ones go, as nginx overwrites its own.
          makeDifferent(file)
          rmSync(join(registry.dataDir, 'blobs', 'sha256'), { recursive: true, force: true })
          return curlSeconds('-T', file, await box.uploadUrl())
        },
        plain: () => curlSeconds('-T', file, `${plain.url}/upload.box`)
      })
      const ours = median(took.ours)
      const row = (against: string, theirs: number, goal: number) => ({
        what: 'upload of 1 GiB: hashed, inspected and synced before the answer',
        ours: mibPerSecond(size, ours),
        against,
        theirs: mibPerSecond(size, theirs),
        figure: times(theirs / ours),
        goal: `≥ ${times(goal)} its throughput`,
        met: bench.quick ? null : theirs / ours >= goal
      })
      return [
        row('nginx DAV PUT, 1 MiB buffer, one worker', median(took.tuned), 0.5),
        row('nginx DAV PUT, default buffer', median(took.plain), 1)
      ]
    } finally {
      await Promise.all([registry.stop(), tuned.stop(), plain.stop()])
    }
  }
}
