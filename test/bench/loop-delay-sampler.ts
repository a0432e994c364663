/** Loaded before the program that is measured; see loop-delay.ts. Only its main thread is watched. */
import { renameSync, writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import { watchLoop } from './loop-watch.ts'

const report = process.env['BOXYARD_BENCH_LOOP_DELAY']
if (report && isMainThread) {
  const watch = watchLoop()
  process.on('SIGUSR2', () => {
    writeFileSync(`${report}.part`, JSON.stringify(watch.read()))
    renameSync(`${report}.part`, report)
  })
}
