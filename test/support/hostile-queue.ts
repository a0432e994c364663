import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { fsDriver } from '../../src-main/blobs/fs-driver.ts'
import type { SyncRequest } from '../../src-main/contract/sync.ts'
import type { RemoteTransfer } from '../../src-main/contract/transfers.ts'
import { operator } from '../../src-main/domain/model.ts'
import { LocalEnd } from '../../src-main/remotes/ends/local/local-end.ts'
import type { HttpLimits } from '../../src-main/remotes/ends/http/limits.ts'
import { reachHttp } from '../../src-main/remotes/ends/http/reach.ts'
import { Planning } from '../../src-main/remotes/planning.ts'
import { RemoteTransfers } from '../../src-main/remotes/transfers/transfers.ts'
import { catalogWorld } from './catalog.ts'
import { remotesWith } from './remotes.ts'

/** Nobody waits for a remote longer than so often, in one test. */
const mostAttempts = 12
const patience = 30_000

/** How a transfer came to its end. */
export interface Story {
  readonly transfer: RemoteTransfer
  /** What it waited for on the way. */
  readonly waits: readonly {
    readonly problem: readonly string[]
    readonly for: string | null
    readonly ms: number
  }[]
}

/** The queue on a real catalogue, with one remote over HTTP, and a clock that passes when everybody waits. */
export async function hostileQueue(location: string, token: string, limits: Partial<HttpLimits>) {
  const world = await catalogWorld(fsDriver)
  const { db, events, log, clock } = world
  const { remotes, connections, close } = remotesWith({
    ...{ db, events, log, now: clock.now },
    reach: (access, signal) => reachHttp(access, signal, limits)
  })
  const local = new LocalEnd(world)
  const planning = new Planning({ db, connections, local, now: clock.now })
  const timers = new Map<number, { at: number; work: () => void }>()
  let lastTimer = 0
  const transfers = new RemoteTransfers({
    ...{ ...world, connections, planning, now: clock.now },
    settings: () => ({ parallelTransfers: 2, uploadLimit: null, downloadLimit: null }),
    lookAtSettings: () => {},
    maintenance: () => false,
    carrying: {
      random: () => 0.5,
      fingerprint: () => 'lan',
      every: () => () => {},
      clock: {
        now: clock.now,
        setTimeout(work, ms) {
          timers.set((lastTimer += 1), { at: clock.now() + ms, work })
          return lastTimer
        },
        clearTimeout: (timer) => void timers.delete(timer as number)
      }
    }
  })
  const remote = await remotes.add({ location, token, name: 'Lab' })
  await transfers.start()
  onTestFinished(async () => {
    await transfers.close()
    await close()
  })

  const pass = (ms: number): void => {
    clock.pass(ms)
    for (const [id, { at, work }] of timers) {
      if (at > clock.now()) continue
      timers.delete(id)
      work()
    }
  }
  /** Resolves once it is not being worked on. */
  const settled = async (id: string): Promise<RemoteTransfer> => {
    for (const end = performance.now() + patience; performance.now() < end; await wait(5)) {
      const transfer = transfers.find(id)
      if (!transfer) throw new Error('the transfer is gone')
      if (!['queued', 'running', 'verifying'].includes(transfer.state)) return transfer
      // It is its turn as soon as the remote is asked again.
      if (transfer.state === 'queued' && timers.size > 0) pass(60_000)
    }
    throw new Error(`it did not settle: ${JSON.stringify(transfers.find(id))}`)
  }
  return {
    ...world,
    ...{ remotes, local, planning, transfers, remote },
    /** A released version of a box with one image; its bytes. */
    async release(box: string, size: number, version = '1.0.0'): Promise<Buffer> {
      const bytes = randomBytes(size / 2).toString('hex')
      world.addBox(box)
      world.addVersion(version, box)
      world.addImage({ version, box })
      await world.upload(bytes, { version, box })
      world.versions.release(operator, 'acme', box, version)
      return Buffer.from(bytes)
    },
    request: (
      direction: SyncRequest['direction'],
      box: string,
      more: Partial<SyncRequest> = {}
    ): SyncRequest => ({
      ...{ direction, remoteId: remote.id, organization: 'acme', box, ...more }
    }),
    add(request: SyncRequest): string {
      const [transfer] = transfers.add([request])
      if (!transfer) throw new Error('nothing was added')
      return transfer.id
    },
    /** Lets time pass until it is over. */
    async story(id: string): Promise<Story> {
      const waits: { problem: readonly string[]; for: string | null; ms: number }[] = []
      for (;;) {
        const transfer = await settled(id)
        if (transfer.state !== 'waiting') return { transfer, waits }
        const at = transfer.nextAttemptAt
        if (at === null || waits.length > mostAttempts) throw new Error('it waits for ever')
        waits.push({ problem: transfer.problem ?? [], for: transfer.waitingFor, ms: at - clock.now() })
        pass(Math.max(at - clock.now(), 0) + 1)
        // What is due now begins in a turn of its own.
        await wait(1)
      }
    }
  }
}
