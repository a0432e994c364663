/** `node sync-look.ts NEAR FAR ROUNDS`: looks at the one remote of a folder again and again, and prints what each kind of look cost. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createApp } from '../../src-main/app.ts'
import { silentLog } from '../../src-main/log.ts'
import { openCatalogue } from '../../src-main/store/open.ts'
import { watchLoop, type LoopDelay } from './loop-watch.ts'
import { peakMemory, resetPeakMemory } from './processes.ts'

/** What one look cost. */
export interface LookCost {
  readonly ms: number
  /** Of the main thread, in milliseconds. */
  readonly delay: LoopDelay
  /** By how much the memory in use grew at most, in bytes. */
  readonly growth: number
}

export type LookCosts = Readonly<Record<'unchanged' | 'listed' | 'changed' | 'planned', readonly LookCost[]>>

const [near = '', far = '', rounds = '1'] = process.argv.slice(2)
const changedBoxes = 100
const app = await createApp({ dataDir: near, log: silentLog })
const [remote] = await app.remotes.list()
if (!remote) throw new Error('The folder has no remote.')

/** The listing is read again. */
const forgetCursor = (): void => void app.db.prepare('UPDATE remotes SET cursor = NULL').run()

/** So many boxes there get another stamp, and are found to be the same as here. */
function touchSome(): void {
  const db = openCatalogue(far)
  db.prepare(
    `UPDATE boxes SET updated_at = updated_at + 1, revision = revision + 1
     WHERE id IN (SELECT id FROM boxes ORDER BY id DESC LIMIT ?)`
  ).run(changedBoxes)
  db.prepare('UPDATE organizations SET revision = revision + 1').run()
  db.close()
}

async function cost(work: () => Promise<unknown>): Promise<LookCost> {
  await sleep(200)
  resetPeakMemory(process.pid)
  const before = process.memoryUsage.rss()
  const watch = watchLoop()
  const start = performance.now()
  await work()
  const ms = performance.now() - start
  const delay = watch.read()
  return { ms, delay, growth: Math.max(0, peakMemory(process.pid) - before) }
}

async function look(): Promise<void> {
  await app.watching.check(remote!.id)
  const { health, healthNote } = await app.remotes.read(remote!.id)
  if (health !== 'fine') throw new Error(`The look failed: ${healthNote}`)
}

const costs: Record<keyof LookCosts, LookCost[]> = { unchanged: [], listed: [], changed: [], planned: [] }
const { organization, name } = app.db
  .prepare<[], { organization: string; name: string }>('SELECT organization, name FROM remote_boxes LIMIT 1')
  .get()!
const request = { direction: 'publish', remoteId: remote.id, organization, box: name } as const
// The first ones fill caches, and are not counted.
for (let round = 0; round <= Number(rounds); round++) {
  const add = (kind: keyof LookCosts, one: LookCost): void => void (round > 0 && costs[kind].push(one))
  forgetCursor()
  add('listed', await cost(look))
  add('unchanged', await cost(look))
  touchSome()
  add('changed', await cost(look))
  add('planned', await cost(() => app.planning.view(request, AbortSignal.timeout(60_000))))
}
const standings = (await app.remotes.read(remote.id)).standings
await app.close()
console.log(JSON.stringify({ costs, standings }))
