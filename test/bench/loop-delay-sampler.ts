/** Loaded before the program that is measured; see loop-delay.ts. Only its main thread is watched. */
import { renameSync, writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

const report = process.env['BOXYARD_BENCH_LOOP_DELAY']
if (report && isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const write = (): void => {
    const ms = (share: number): number => delay.percentile(share) / 1e6
    const seen = { p50: ms(50), p99: ms(99), max: delay.max / 1e6 }
    writeFileSync(`${report}.${process.pid}`, JSON.stringify(seen))
    renameSync(`${report}.${process.pid}`, report)
    delay.reset()
  }
  process.on('SIGUSR2', write)
  process.on('exit', write)
}
