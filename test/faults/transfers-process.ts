import type { SyncRequest } from '../../src-main/contract/sync.ts'
import { startCore } from '../../src-main/core.ts'
import { operator } from '../../src-main/domain/model.ts'
import { createLog } from '../../src-main/log.ts'
import { answerParent } from './answer-parent.ts'

/*
 * The product in a process of its own, with a person at its window who can be asked for by messages: each is answered
 * once what it asks for has been acknowledged. It kills itself the moment a step of a transfer has been noted as done,
 * when it is asked to.
 */

/** What the person can do. */
export interface Deeds {
  addPath: { path: string; remotes: readonly number[] }
  publish: { id: string }
  addRemote: { name: string; location: string; token: string | null }
  start: { request: SyncRequest }
  list: Record<string, never>
  /** The versions of a box as they are here, without ids and times. */
  snapshot: { organization: string; box: string }
  stop: Record<string, never>
}
export type Deed = { [N in keyof Deeds]: { deed: N; number: number } & Deeds[N] }[keyof Deeds]

const [, , dataDir = '', killAfter = '', limit = ''] = process.argv
const left = killAfter === '' ? Infinity : Number(killAfter)
const core = await startCore({ dataDir, log: createLog(), owner: 'acme', fixed: { port: 0 } })
const { arrivals, remotes, remoteTransfers, events, personSettings, boxes } = core.app
if (limit !== '')
  personSettings.change({ uploadLimit: Number(limit), downloadLimit: Number(limit), parallelTransfers: 1 })

const doneBefore = countDone()
events.on('transfer-changed', () => {
  if (countDone() - doneBefore >= left) process.kill(process.pid, 'SIGKILL')
})

function countDone(): number {
  return remoteTransfers.list().reduce((sum, { stepsDone }) => sum + stepsDone, 0)
}

async function carryOut(asked: Deed): Promise<unknown> {
  switch (asked.deed) {
    case 'addPath': {
      const draft = { release: true, remotes: [...asked.remotes] }
      return (await arrivals.addPaths([asked.path], draft)).arrivals[0]
    }
    case 'publish':
      return (await arrivals.publish([asked.id]))[0]
    case 'addRemote': {
      const { name, location, token } = asked
      return remotes.add({ name, location, ...(token !== null && { token }) })
    }
    case 'start':
      return remoteTransfers.add([asked.request])[0]
    case 'list':
      return remoteTransfers.list()
    case 'snapshot':
      return boxes
        .read(operator, asked.organization, asked.box)
        .versions.map(({ number, status, description, images }) => ({
          ...{ number, status, description },
          images: images
            .map((image) => `${image.provider} ${image.architecture} ${image.isDefault} ${image.blob}`)
            .sort()
        }))
    case 'stop':
      return core.stop()
  }
}

answerParent(carryOut)
