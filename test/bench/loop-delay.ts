import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LoopDelay } from './loop-watch.ts'

/**
 * Watches a process from the inside, with nothing of it in the product: `env` makes Node load the sampler before the
 * program. The process writes what it saw when it is sent SIGUSR2.
 */
export function loopDelayProbe(): {
  env: NodeJS.ProcessEnv
  read(pid: number): Promise<LoopDelay>
  drop(): void
} {
  const dir = mkdtempSync(join(tmpdir(), 'boxyard-loop-delay-'))
  const report = join(dir, 'report.json')
  const last = (): LoopDelay => JSON.parse(readFileSync(report, 'utf8')) as LoopDelay
  return {
    env: {
      NODE_OPTIONS: `--import=${join(import.meta.dirname, 'loop-delay-sampler.ts')}`,
      BOXYARD_BENCH_LOOP_DELAY: report
    },
    async read(pid) {
      rmSync(report, { force: true })
      process.kill(pid, 'SIGUSR2')
      for (;;) {
        await sleep(20)
        try {
          return last()
        } catch {
          continue // not written yet
        }
      }
    },
    drop: () => rmSync(dir, { recursive: true, force: true })
  }
}
