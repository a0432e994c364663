/** `node transfer-cost.ts FOLDER publish|pull ORG/BOX@VERSION`: carries out one transfer with the remote Far, and prints what it cost. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createApp } from '../../src-main/app.ts'
import { silentLog } from '../../src-main/log.ts'
import { watchLoop } from './loop-watch.ts'
import { peakMemory, resetPeakMemory } from './processes.ts'
import type { LookCost } from './sync-look.ts'

const [dataDir = '', direction = '', tag = ''] = process.argv.slice(2)
const [, organization = '', box = '', version = ''] = /^(.+)\/(.+)@(.+)$/.exec(tag) ?? []
const app = await createApp({ dataDir, log: silentLog })
const { id: remoteId } = await app.remotes.named('Far')

/** Told of changes, not of the time: a look now and then would be late. */
const ended = (id: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const look = (): void => {
      const { state, problem } = app.remoteTransfers.find(id)!
      if (state === 'done') resolve()
      else if (state === 'failed' || state === 'waiting') reject(new Error(`${state}: ${problem?.join(' ')}`))
    }
    app.events.on('transfer-changed', look)
    look()
  })

await sleep(200)
resetPeakMemory(process.pid)
const before = process.memoryUsage.rss()
const watch = watchLoop()
const start = performance.now()
const [transfer] = app.remoteTransfers.add([
  { direction: direction === 'publish' ? 'publish' : 'pull', remoteId, organization, box, version }
])
await app.remoteTransfers.start([transfer!.id])
await ended(transfer!.id)
const cost: LookCost = {
  ms: performance.now() - start,
  delay: watch.read(),
  growth: Math.max(0, peakMemory(process.pid) - before)
}
await app.close()
console.log(JSON.stringify(cost))
