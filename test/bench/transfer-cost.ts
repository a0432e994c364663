import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, DeskMethod, Payload } from '../../src-main/contract/desk.ts'
import type { SyncRequest } from '../../src-main/contract/sync.ts'
import { httpTransport } from '../../src-renderer/http-transport.ts'
import { browserAt } from '../support/browser.ts'
import { serve } from '../support/product.ts'
import { loopDelayProbe } from './loop-delay.ts'
import { peakMemory, resetPeakMemory, usedMemory } from './processes.ts'
import type { LookCost } from './sync-look.ts'

/** What a server does at its start is over by then: its first backup, in a thread of its own, comes after ten seconds. */
const settling = 12_000
/** Not so often that it could be noticed: when a transfer ended, the product tells itself. */
const lookEvery = 100

/** A transfer with the only remote of a folder. */
export type Wanted = Pick<SyncRequest, 'direction' | 'organization' | 'box' | 'version'>

/** Has one built server carry out transfers one after another, as a window would, and tells what each cost. */
export async function transferCosts(
  dataDir: string,
  transfers: readonly Wanted[],
  env: NodeJS.ProcessEnv
): Promise<LookCost[]> {
  const probe = loopDelayProbe()
  const served = await serve(dataDir, ['--ui'], { ...probe.env, ...env })
  const desk = httpTransport(browserAt(served.ui ?? ''))
  const call = async <M extends DeskMethod>(method: M, payload: Payload<M>): Promise<Answer<M>> => {
    const reply = await desk.invoke(method, payload)
    if (!reply.ok) throw new Error(`${method}: ${reply.refusal.sentences.join(' ')}`)
    return reply.value as Answer<M>
  }
  const carryOut = async (wanted: Wanted, remoteId: number): Promise<number> => {
    const [started] = await call('sync.start', { requests: [{ ...wanted, remoteId }] })
    for (;;) {
      await sleep(lookEvery)
      const { remoteTransfers } = await call('transfers', {})
      const now = remoteTransfers.find(({ id }) => id === started?.id)
      if (!now || now.state === 'failed' || now.state === 'waiting')
        throw new Error(`${now?.state}: ${now?.problem?.join(' ')}`)
      if (now.state === 'done' && now.finishedAt !== null) return now.finishedAt - now.createdAt
    }
  }
  try {
    const [remote] = await call('remotes', {})
    if (!remote) throw new Error('The folder has no remote.')
    await sleep(settling)
    const costs: LookCost[] = []
    for (const wanted of transfers) {
      await probe.read(served.pid)
      resetPeakMemory(served.pid)
      const before = usedMemory(served.pid)
      const ms = await carryOut(wanted, remote.id)
      const growth = Math.max(0, peakMemory(served.pid) - before)
      costs.push({ ms, growth, delay: await probe.read(served.pid) })
    }
    return costs
  } finally {
    await served.stop()
    probe.drop()
  }
}
