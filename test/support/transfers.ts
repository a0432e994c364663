import { Readable } from 'node:stream'
import type { SyncRequest } from '../../src-main/contract/sync.ts'
import type { RemoteTransfer } from '../../src-main/contract/transfers.ts'
import type { Step } from '../../src-main/domain/sync/plan-types.ts'
import type { RemoteFailure } from '../../src-main/remotes/failure.ts'
import type { End, PutOptions } from '../../src-main/remotes/end.ts'
import type { Prepared } from '../../src-main/remotes/planning.ts'
import type { OpenRemote } from '../../src-main/remotes/connections.ts'
import { RemoteTransfers } from '../../src-main/remotes/transfers/transfers.ts'
import type { Db } from '../../src-main/store/open.ts'
import { catalogWorld } from './catalog.ts'

/** A row of a remote without anything behind it. */
export function addRemoteRow(db: Db, name = 'Lab', kind: 'http' | 'folder' = 'http'): number {
  const { lastInsertRowid } = db
    .prepare(
      `INSERT INTO remotes (name, name_key, kind, location, api, identity, created_at)
       VALUES (?, lower(?), ?, ?, ?, ?, 0)`
    )
    .run(name, name, kind, `https://${name}.example`, kind === 'http' ? 'v2' : null, `identity of ${name}`)
  return Number(lastInsertRowid)
}

/** A step as a plan has it. */
export const putStep = (version: string, bytes = 100): Step => ({
  kind: 'put-bytes',
  key: `put-bytes ${version} virtualbox/amd64`,
  sentence: `Uploads virtualbox/amd64 of ${version}.`,
  ...{ version, provider: 'virtualbox', architecture: 'amd64', size: bytes, checksums: {}, replaces: false },
  ...{ bytes, optional: false }
})
export const versionStep = (version: string, optional = true): Step => ({
  ...{ kind: 'create-version', key: `create-version ${version}`, sentence: `Adds version ${version}.` },
  ...{ version, description: '', bytes: 0, optional }
})

/** What a scripted remote does with a step; resolves when it has done it. */
export type Doing = (step: { key: string; signal: AbortSignal; put: PutOptions | null }) => Promise<void>

/** A box with nothing in it. */
const nothing = { shortDescription: '', description: '', private: true, versions: [] }

/** A box at scripted remotes: what is to be done of it, and what was. */
class ScriptedSync {
  /** By box: the steps that bring the other side in line; those done are no longer planned. */
  readonly steps = new Map<string, Step[]>()
  readonly done: string[] = []
  readonly conflicts = new Map<string, Prepared['plan']['conflicts']>()
  readonly opened: number[] = []
  readonly answered: number[] = []
  readonly failures: RemoteFailure[] = []
  readonly prepared: SyncRequest[] = []
  readonly paused = new Map<number, number>()
  agreed = 0
  /** Whether the side boxes come from has them, and the other takes any. */
  hasSource = true
  /** The remote whose box one here is a mirror of, by the name of the box. */
  readonly mirrors = new Map<string, number>()
  writable = true
  onOpen: (id: number, signal: AbortSignal) => Promise<void> = () => Promise.resolve()
  onPrepare: (request: SyncRequest) => Promise<void> = () => Promise.resolve()
  doing: Doing = async ({ put }) => put?.onProgress(1)

  readonly connections = {
    open: async (id: number, signal: AbortSignal): Promise<OpenRemote> => {
      this.opened.push(id)
      await this.onOpen(id, signal)
      return { id, name: 'Lab', end: this.#end(''), there: (tag) => tag, here: (tag) => tag }
    },
    answered: (id: number) => void this.answered.push(id),
    failed: (_id: number, failure: RemoteFailure) => void this.failures.push(failure),
    pausedUntil: (id: number) => this.paused.get(id) ?? null
  }

  readonly planning = {
    prepare: async (request: SyncRequest): Promise<Prepared> => {
      this.prepared.push(request)
      await this.onPrepare(request)
      const { box } = request
      const steps = (this.steps.get(box) ?? []).filter(({ key }) => !this.done.includes(`${box} ${key}`))
      const conflicts = (this.conflicts.get(box) ?? []).map((conflict) => ({
        ...conflict,
        chosen: request.choices?.[conflict.key] ?? null
      }))
      const end = this.#end(box)
      const tag = { organization: request.organization, name: box }
      return {
        plan: { steps, conflicts, notes: [], removable: false, bytes: 0 },
        ...{ source: end, target: end, sourceTag: tag, targetTag: tag },
        leftOut: new Set(request.leftOut),
        carriedOut: () => {},
        sides: { source: this.hasSource ? nothing : null, target: null },
        agree: async () => void (this.agreed += 1)
      }
    }
  }

  #end(box: string): End {
    const carry = async (key: string, signal: AbortSignal, put: PutOptions | null): Promise<void> => {
      await this.doing({ key: `${box} ${key}`, signal, put })
      this.done.push(`${box} ${key}`)
    }
    return {
      traits: { architectures: true, longestShortDescription: 255, writable: this.writable },
      read: () => Promise.resolve(null),
      carryOut: (_tag, deed, signal) => carry((deed as Step).key, signal, null),
      put: (_tag, image, _bytes, options) =>
        carry(`put-bytes ${image.version} ${image.provider}/${image.architecture}`, options.signal, options),
      open: () => Promise.resolve({ body: Readable.from([Buffer.from('bytes')]), from: 0, size: 5 }),
      list: () => Promise.reject(new Error('not asked for')),
      close: () => Promise.resolve()
    }
  }
}

/** Transfers on a real database, with remotes that do what a test says, and time that is the test's own. */
export async function transfersWorld(
  over: {
    parallelTransfers?: number
    maintenance?: () => boolean
    lookAtSettings?: (settings: { parallelTransfers: number }) => void
  } = {}
) {
  const world = await catalogWorld()
  const { db, clock } = world
  const sync = new ScriptedSync()
  const settings = { parallelTransfers: 2, uploadLimit: null, downloadLimit: null, ...over }
  const timers = new Map<number, { at: number; work: () => void }>()
  let lastTimer = 0
  let online = 'lan'
  const looks = new Set<() => void>()
  const make = () =>
    new RemoteTransfers({
      ...world,
      ...{ connections: sync.connections, planning: sync.planning, now: clock.now },
      mirrored: { remoteOf: (_, box) => sync.mirrors.get(box) ?? null },
      settings: () => settings,
      lookAtSettings: () => over.lookAtSettings?.(settings),
      maintenance: over.maintenance ?? (() => false),
      carrying: {
        random: () => 0.5,
        fingerprint: () => online,
        every: (work) => {
          looks.add(work)
          return () => void looks.delete(work)
        },
        clock: {
          now: clock.now,
          setTimeout: (work, ms) => {
            timers.set((lastTimer += 1), { at: clock.now() + ms, work })
            return lastTimer
          },
          clearTimeout: (timer) => void timers.delete(timer as number)
        }
      }
    })
  const remoteId = addRemoteRow(db)
  const request = (box = 'tiny', over: Partial<SyncRequest> = {}): SyncRequest => ({
    ...{ direction: 'publish', remoteId, organization: 'acme', box, ...over }
  })
  return {
    ...world,
    ...{ sync, settings, make, remoteId, request, timers },
    transfers: make(),
    setNetwork: (name: string) => void (online = name),
    /** A second has passed for who looks at what others did. */
    look: () => looks.forEach((work) => work()),
    /** Lets time pass for what waits for a time. */
    pass(ms: number): void {
      clock.pass(ms)
      for (const [id, { at, work }] of timers) {
        if (at > clock.now()) continue
        timers.delete(id)
        work()
      }
    }
  }
}

/** Resolves once a transfer is as it should be. */
export async function until(
  transfers: RemoteTransfers,
  id: string,
  isMet: (transfer: RemoteTransfer) => boolean
): Promise<RemoteTransfer> {
  for (let turn = 0; turn < 10_000; turn++) {
    const transfer = transfers.find(id)
    if (transfer && isMet(transfer)) return transfer
    await new Promise((resolve) => setImmediate(resolve))
  }
  throw new Error(`it did not come to that: ${JSON.stringify(transfers.find(id))}`)
}
