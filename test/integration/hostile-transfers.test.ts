import { beforeEach, describe, expect, it } from 'vitest'
import { operator } from '../../src-main/domain/model.ts'

import { hostileQueue, type Story } from '../support/hostile-queue.ts'
import * as bad from '../support/hostile-remote.ts'
import { hostileRemote, type HostileRemote, type Misbehaviour } from '../support/hostile-remote.ts'
import { sampleFile, sampleRegistry, type SampleRegistry } from '../support/registry.ts'
import { sha256 } from '../support/sha256.ts'

const { start } = sampleRegistry()
const never = new AbortController().signal

const limits = bad.tightLimits

const send = { method: 'PUT', path: /^\/upload\// }
const ask = { method: 'GET', path: /\/upload\/direct$/ }
const callback = { method: 'PUT', path: /\/upload\/direct\/./ }
const release = { method: 'PUT', path: /\/release$/ }
const download = { method: 'GET', path: /vagrant\.box$/ }
const everything = { path: /^\/api\/v2\/box/ }

const size = 3_000_000

let registry: SampleRegistry
let remote: HostileRemote
let queue: Awaited<ReturnType<typeof hostileQueue>>
beforeEach(async () => {
  registry = await start()
  remote = await hostileRemote(registry.url)
  queue = await hostileQueue(remote.url, registry.tokens.owner, limits)
})

interface Case {
  readonly name: string
  readonly when: readonly (readonly [
    Parameters<HostileRemote['when']>[0],
    () => Misbehaviour,
    { times?: number; skip?: number }?
  ])[]
  /** What it waits for by itself, or that it fails until the person has seen to it. */
  readonly ends: 'done' | 'waits, then done' | 'failed' | 'waits, then failed'
  readonly says?: RegExp
  /** How often all bytes went over the line. */
  readonly sends?: number
  readonly atLeastMs?: number
}

const publishing: readonly Case[] = [
  {
    name: '500 before the first byte',
    when: [[send, () => bad.refuse(500)]],
    ends: 'waits, then done',
    says: /cannot answer just now/
  },
  {
    name: '500 in the middle',
    when: [[send, () => bad.refuseMidway(500, 1_000_000)]],
    ends: 'waits, then done'
  },
  {
    name: '500 after the last byte',
    when: [[send, () => bad.refuseAfterAll(500)]],
    ends: 'waits, then done',
    sends: 2
  },
  { name: '503 though the bytes have arrived', when: [[send, () => bad.doAndRefuse(503)]], ends: 'done' },
  {
    name: '503 though the upload was completed',
    when: [[callback, () => bad.doAndRefuse(503)]],
    ends: 'done'
  },
  { name: '503 though it was released', when: [[release, () => bad.doAndRefuse(503)]], ends: 'done' },
  {
    name: '503 to every call, though each succeeds',
    when: [
      [{ method: 'POST' }, () => bad.doAndRefuse(503), { times: Infinity }],
      [{ method: 'PUT' }, () => bad.doAndRefuse(503), { times: Infinity }]
    ],
    ends: 'done'
  },
  {
    name: 'no answer to any call that changes something',
    when: [
      [{ method: 'POST' }, () => bad.doAndCut, { times: Infinity }],
      [{ method: 'PUT' }, () => bad.doAndCut, { times: Infinity }]
    ],
    ends: 'done'
  },
  {
    name: 'a call to complete the upload that fails',
    when: [[callback, () => bad.refuse(500), { times: 2 }]],
    ends: 'waits, then done'
  },
  {
    name: '429 with Retry-After',
    when: [[ask, () => bad.refuse(429, 'Slow down.', { 'retry-after': '90' })]],
    ends: 'waits, then done',
    says: /fewer requests/,
    atLeastMs: 90_000
  },
  {
    name: '401 in the middle',
    when: [[send, () => bad.refuseMidway(401, 1_000_000)]],
    ends: 'failed',
    says: /token/
  },
  {
    name: '401 from some call on',
    when: [[everything, () => bad.refuse(401), { skip: 3, times: 1 }]],
    ends: 'failed',
    says: /token/
  },
  { name: '402', when: [[ask, () => bad.refuse(402, 'Pay.')]], ends: 'failed', says: /bill/ },
  {
    name: '403',
    when: [[{ method: 'POST' }, () => bad.refuse(403, 'Not yours.')]],
    ends: 'failed',
    says: /Not yours\./
  },
  { name: 'an address that is over', when: [[send, () => bad.expired()]], ends: 'done' },
  {
    name: 'addresses that are always over',
    when: [[send, () => bad.expired(), { times: 3 }]],
    ends: 'waits, then done'
  },
  {
    name: 'bytes that are damaged on the way',
    when: [[send, () => bad.damageIncoming]],
    ends: 'waits, then done',
    says: /checksum/,
    sends: 2
  },
  { name: 'silence', when: [[ask, () => bad.hang]], ends: 'waits, then done', says: /did not answer/ },
  { name: 'silence after the last byte', when: [[send, () => bad.hang]], ends: 'waits, then done', sends: 2 },
  {
    name: 'a line that is cut',
    when: [[send, () => bad.cutMidway(1_000_000)]],
    ends: 'waits, then done',
    says: /broke off/
  },
  {
    name: 'a way elsewhere',
    when: [[ask, () => bad.redirectTo(remote.trap.url)]],
    ends: 'failed',
    says: /sends requests on/
  },
  { name: 'a page', when: [[ask, () => bad.page()]], ends: 'failed', says: /sign-in page/ },
  {
    name: 'JSON that never ends',
    when: [[ask, () => bad.endless('[', '1,')]],
    ends: 'failed',
    says: /as no registry does/
  }
]

/** Tells what a person was told, and that nobody had to be told more. */
function check({ transfer, waits }: Story, { ends, says, atLeastMs = 0 }: Case): void {
  const told = [...waits.flatMap(({ problem }) => problem), ...(transfer.problem ?? [])].join(' ')
  expect(told).not.toMatch(/undefined|\[object|fault in the program/)
  expect(told).not.toContain(registry.tokens.owner)
  if (says) expect(told).toMatch(says)
  expect(transfer.state, told).toBe(ends.endsWith('failed') ? 'failed' : 'done')
  expect(waits.length > 0, told).toBe(ends.startsWith('waits'))
  if (atLeastMs > 0) expect(waits[0]?.ms).toBeGreaterThanOrEqual(atLeastMs)
}

describe('publishing to a remote that answers with', () => {
  it.each(publishing.map((each) => [each.name, each] as const))('%s', async (_name, scenario) => {
    const bytes = await queue.release('fresh', size)
    const small = await queue.release('another', 1000)
    for (const [match, misbehave, often] of scenario.when)
      remote.when(match, (victim) => misbehave()(victim), often)
    const id = queue.add(queue.request('publish', 'fresh'))
    const story = await queue.story(id)
    check(story, scenario)
    // Whatever became of it, others go on.
    const other = queue.add(queue.request('publish', 'another'))
    expect((await queue.story(other)).transfer).toMatchObject({ state: 'done' })
    if (scenario.ends.endsWith('failed')) {
      // The person has seen to it.
      queue.transfers.retry([id])
      expect((await queue.story(id)).transfer).toMatchObject({ state: 'done', problem: null })
    }
    expect(remote.spent, 'it came to what was to go wrong').toBe(true)

    const { images, boxes } = registry.app
    for (const [box, file] of [
      ['fresh', bytes],
      ['another', small]
    ] as const) {
      const there = boxes.read(operator, 'acme', box)
      expect(there.versions.map(({ number, status, images }) => [number, status, images.length])).toEqual([
        ['1.0.0', 'active', 1]
      ])
      const ref = {
        organization: 'acme',
        box,
        version: '1.0.0',
        provider: 'virtualbox',
        architecture: 'amd64'
      }
      expect(images.read(operator, ref).blob).toBe(sha256(file))
      // And here nothing was lost on the way.
      expect(queue.image({ box }).blob).toBe(sha256(file))
    }
    const whole = remote.noted.filter(
      ({ method, path, bytes }) => method === 'PUT' && path.startsWith('/upload/') && bytes === size
    )
    expect(whole).toHaveLength(scenario.sends ?? 1)
    for (const noted of [
      ...remote.trap.noted,
      ...remote.noted.filter(({ path }) => path.startsWith('/upload/'))
    ])
      expect(noted.token).toBeNull()
    expect(boxes.read(operator, 'acme', 'tiny').versions).toHaveLength(3)

    // Both agree now: there is nothing more to do, and nothing is done.
    const view = await queue.planning.view(queue.request('publish', 'fresh'), never)
    expect({ steps: view.steps, conflicts: view.conflicts }).toEqual({ steps: [], conflicts: [] })
  })

  it('other bytes for the same version, put there in the same moment, loses neither', async () => {
    await queue.release('fresh', 1000)
    const { app } = registry
    const theirs = async (): Promise<void> => {
      const place = { organization: 'acme', box: 'fresh', version: '1.0.0' }
      const ref = { ...place, provider: 'virtualbox', architecture: 'amd64' }
      app.images.create(operator, place, { provider: 'virtualbox', architecture: 'amd64' })
      const { id, key } = app.uploads.issue(operator, ref, 'simple')
      const { Readable } = await import('node:stream')
      await app.uploads.receive(id, key, Readable.from([Buffer.from('theirs')]))
      app.versions.release(operator, 'acme', 'fresh', '1.0.0')
    }
    remote.when({ method: 'POST', path: /\/providers$/ }, bad.meanwhile(theirs))
    const id = queue.add(queue.request('publish', 'fresh'))
    const { transfer } = await queue.story(id)
    const there = app.images.read(operator, {
      organization: 'acme',
      box: 'fresh',
      version: '1.0.0',
      provider: 'virtualbox',
      architecture: 'amd64'
    })
    expect(there.blob, 'theirs stays').toBe(sha256(Buffer.from('theirs')))
    expect(transfer).toMatchObject({ state: 'failed', conflicts: [{ sentence: expect.any(String) }] })
    // What is chosen is done, and both are there.
    const [conflict] = transfer.conflicts
    expect(conflict?.choices.map(({ choice }) => choice)).toContain('keep-both')
    queue.transfers.decide(id, { [conflict!.key]: 'keep-both' })
    expect((await queue.story(id)).transfer.state).toBe('done')
    expect(queue.image({ box: 'fresh' }).blob).not.toBe(there.blob)
  })
})

const pulling: readonly Case[] = [
  {
    name: 'less than it said',
    when: [[download, () => bad.truncate(2000)]],
    ends: 'waits, then done',
    says: /broke off/
  },
  {
    name: 'less than it said, and then the whole in place of the rest',
    when: [
      [download, () => bad.truncate(2000)],
      [download, () => bad.ignoreRange]
    ],
    ends: 'waits, then done'
  },
  {
    name: 'less than it said, and then another part',
    when: [
      [download, () => bad.truncate(2000)],
      [download, () => bad.wrongRange]
    ],
    ends: 'waits, then done'
  },
  { name: 'a file that is too short', when: [[download, () => bad.shorten(2000)]], ends: 'waits, then done' },
  {
    name: 'a bit turned over',
    when: [[download, () => bad.damageOutgoing]],
    ends: 'waits, then done',
    says: /checksum/
  },
  {
    name: 'a bit turned over each time',
    when: [[download, () => bad.damageOutgoing, { times: 2 }]],
    ends: 'waits, then failed',
    says: /checksum/
  },
  { name: 'silence', when: [[download, () => bad.hang]], ends: 'waits, then done' },
  {
    name: 'silence in the middle',
    when: [[download, () => bad.stall(2000)]],
    ends: 'waits, then done',
    says: /next to nothing/
  },
  { name: '500', when: [[download, () => bad.refuse(500)]], ends: 'waits, then done' },
  {
    name: '429 with Retry-After',
    when: [[download, () => bad.refuse(429, 'Slow down.', { 'retry-after': '90' })]],
    ends: 'waits, then done',
    atLeastMs: 90_000
  },
  { name: '401', when: [[download, () => bad.refuse(401)]], ends: 'failed', says: /token/ },
  { name: '402', when: [[download, () => bad.refuse(402)]], ends: 'failed', says: /bill/ },
  { name: '404', when: [[download, () => bad.refuse(404)]], ends: 'failed', says: /not at/ },
  { name: 'a page', when: [[download, () => bad.page()]], ends: 'failed', says: /web page/ },
  {
    name: 'a way to another host with another file',
    when: [[download, () => bad.redirectTo(`${remote.trap.url}/f`)]],
    ends: 'waits, then done'
  },
  {
    name: 'a page in place of the box',
    when: [[everything, () => bad.page()]],
    ends: 'failed',
    says: /sign-in page/
  },
  {
    name: '404 and a page in place of the box',
    when: [[everything, () => bad.page(404)]],
    ends: 'failed',
    says: /sign-in page/
  }
]

describe('pulling from a remote that answers with', () => {
  it.each(pulling.map((each) => [each.name, each] as const))('%s', async (_name, scenario) => {
    for (const [match, misbehave, often] of scenario.when)
      remote.when(match, (victim) => misbehave()(victim), often)
    const request = { version: '1.0.0', image: { provider: 'virtualbox', architecture: 'amd64' } }
    const id = queue.add(queue.request('pull', 'tiny', request))
    const story = await queue.story(id)
    check(story, scenario)
    const other = queue.add(queue.request('pull', 'secret'))
    expect((await queue.story(other)).transfer).toMatchObject({ state: 'done' })
    if (scenario.ends.endsWith('failed')) {
      // Nothing that was not checked is to be seen.
      const half = queue.boxes.byIds([1]).length
      expect(half).toBeLessThanOrEqual(1)
      queue.transfers.retry([id])
      expect((await queue.story(id)).transfer).toMatchObject({ state: 'done', problem: null })
    }
    expect(remote.spent, 'it came to what was to go wrong').toBe(true)
    expect(queue.image({ box: 'tiny' }).blob).toBe(sha256(sampleFile('tiny amd64')))
    expect(queue.image({ box: 'secret' }).blob).toBe(sha256(sampleFile('secret amd64')))
    for (const noted of remote.trap.noted) expect(noted.token).toBeNull()
    // Nothing is left of what did not arrive whole.
    await queue.sidecars.close()
    const left: string[] = []
    for await (const staged of queue.blobs.staging()) left.push(staged.id)
    expect(left).toEqual([])
    const view = await queue.planning.view(queue.request('pull', 'tiny', request), never)
    expect({ steps: view.steps, conflicts: view.conflicts }).toEqual({ steps: [], conflicts: [] })
  })
})
