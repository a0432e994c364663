import { Readable } from 'node:stream'
import { startCore } from '../../src-main/core.ts'
import { operator } from '../../src-main/domain/model.ts'
import { createLog } from '../../src-main/log.ts'
import { answerParent } from './answer-parent.ts'

/*
 * The product in a process of its own, with a person at its window who can be asked for by messages: each is answered
 * once what it asks for has been acknowledged.
 */

/** What the person can do. */
export interface Deeds {
  addPath: { path: string; release: boolean }
  send: { id: string; name: string; bytes: string }
  publish: { id: string }
  list: Record<string, never>
  /** Every image there is: its box, when it was made and last changed. */
  images: Record<string, never>
  stop: Record<string, never>
}
export type Deed = { [N in keyof Deeds]: { deed: N; number: number } & Deeds[N] }[keyof Deeds]

const [, , dataDir = ''] = process.argv
const core = await startCore({ dataDir, log: createLog(), owner: 'acme', fixed: { port: 0 } })
const { arrivals, boxes, accounts } = core.app

async function carryOut(asked: Deed): Promise<unknown> {
  switch (asked.deed) {
    case 'addPath':
      return (await arrivals.addPaths([asked.path], { release: asked.release })).arrivals[0]
    case 'send':
      return arrivals.receive(asked.id, asked.name, Readable.from([Buffer.from(asked.bytes, 'base64')]))
    case 'publish':
      return (await arrivals.publish([asked.id]))[0]
    case 'list':
      return arrivals.list()
    case 'images': {
      const found: unknown[] = []
      for (const page of boxes.pagesOf(operator, accounts.findOrganization('acme')?.id ?? 0))
        for (const { name } of page)
          for (const { number, status, images } of boxes.read(operator, 'acme', name).versions)
            for (const { blob, createdAt, updatedAt } of images)
              found.push({ name, number, status, blob, createdAt, updatedAt })
      return found
    }
    case 'stop':
      return core.stop()
  }
}

answerParent(carryOut)
