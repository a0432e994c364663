import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { operator } from '../../src-main/domain/model.ts'
import type { End, Listed } from '../../src-main/remotes/end.ts'
import { RemoteFailure, type FailureKind } from '../../src-main/remotes/failure.ts'
import { allOf, bytesToPut, digest, memoInMemory } from '../contract/end.ts'
import * as bad from '../support/hostile-remote.ts'
import { hostileRemote, type HostileRemote, type Misbehaviour } from '../support/hostile-remote.ts'
import { sampleFile, sampleRegistry, type SampleRegistry } from '../support/registry.ts'
import { httpEnd } from '../support/remote-ends.ts'

const { start } = sampleRegistry()
const never = new AbortController().signal

const limits = {
  ...bad.shortTimes,
  listTime: 5_000,
  jsonBytes: 256 * 1024,
  listedBytes: 64 * 1024,
  listedBoxes: 1000
}

const big = randomBytes(3_000_000)
const tag = { organization: 'acme', name: 'tiny' }
/** An image without bytes, and one with. */
const empty = { version: '1.1.0', provider: 'virtualbox', architecture: 'amd64' }
const full = { version: '1.0.0', provider: 'virtualbox', architecture: 'amd64' }
const fullBytes = sampleFile('tiny amd64')

const askDirect = { method: 'GET', path: /\/upload\/direct$/ }
const askSimple = { method: 'GET', path: /\/upload$/ }
const send = { method: 'PUT', path: /^\/upload\// }
const callback = { method: 'PUT', path: /\/upload\/direct\/./ }
const download = { method: 'GET', path: /vagrant\.box$/ }
const readBox = { method: 'GET', path: /\/box\/acme\/tiny$/ }
const listing = { method: 'GET', path: /\/user\/acme(\?|$)/ }

let registry: SampleRegistry
let remote: HostileRemote
let end: End
beforeEach(async () => {
  registry = await start()
  remote = await hostileRemote(registry.url)
  end = (await httpEnd(remote.url, registry.tokens.owner, { limits })).end
  return () => {
    // Whatever else it does, it is never told the token anywhere but where it belongs.
    for (const noted of remote.trap.noted) expect(noted.token).toBeNull()
    for (const noted of remote.noted) if (noted.path.startsWith('/upload/')) expect(noted.token).toBeNull()
  }
})

async function failureOf(work: Promise<unknown>): Promise<RemoteFailure> {
  const error = await work.then(
    () => null,
    (error: unknown) => error
  )
  if (!(error instanceof RemoteFailure)) throw new Error('no failure of a remote', { cause: error })
  // Sentences for people: whole, and without what nobody may read.
  for (const sentence of error.sentences) expect(sentence).toMatch(/^\S.*[.!?…:]$/s)
  expect(`${error.message} ${String(error.cause)}`).not.toContain(registry.tokens.owner)
  expect(error.message).not.toMatch(/key=|undefined|\[object|ECONN|EPIPE/)
  return error
}

const fileOf = (image: typeof empty) =>
  registry.app.images.read(operator, { ...image, organization: 'acme', box: 'tiny' })

interface Case {
  readonly name: string
  readonly when: readonly (readonly [
    Parameters<HostileRemote['when']>[0],
    Misbehaviour,
    { times?: number; skip?: number }?
  ])[]
  /** Null when it comes right without anybody noticing. */
  readonly kind: FailureKind | null
  readonly says?: RegExp
  readonly retryAfter?: number
  /** How often all bytes went over the line until they were there, the attempt after a failure included. */
  readonly sends: number
  /** Whether the bytes are there after the first attempt. */
  readonly arrives?: boolean
}

const putting: readonly Case[] = [
  { name: 'nothing', when: [], kind: null, sends: 1 },
  {
    name: '500 before the first byte',
    when: [[send, bad.refuse(500)]],
    kind: 'busy',
    says: /cannot answer just now/,
    sends: 1
  },
  {
    name: '500 in the middle',
    when: [[send, bad.refuseMidway(500, 1_000_000)]],
    kind: 'busy',
    says: /500/,
    sends: 1
  },
  {
    name: '500 after the last byte',
    when: [[send, bad.refuseAfterAll(500)]],
    kind: 'busy',
    says: /500/,
    sends: 2
  },
  { name: '503 though the bytes have arrived', when: [[send, bad.doAndRefuse(503)]], kind: null, sends: 1 },
  {
    name: '503 though the upload was completed',
    when: [[callback, bad.doAndRefuse(503)]],
    kind: null,
    sends: 1
  },
  { name: 'no answer though the bytes have arrived', when: [[send, bad.doAndCut]], kind: null, sends: 1 },
  {
    name: 'no answer though the upload was completed',
    when: [[callback, bad.doAndCut]],
    kind: null,
    sends: 1
  },
  {
    name: '500 in place of completing the upload',
    when: [[callback, bad.refuse(500)]],
    kind: 'busy',
    sends: 1
  },
  {
    name: 'a line that is cut in the middle',
    when: [[send, bad.cutMidway(1_000_000)]],
    kind: 'offline',
    says: /broke off/,
    sends: 1
  },
  { name: 'a line that is cut at once', when: [[send, bad.cutMidway(0)]], kind: 'offline', sends: 1 },
  {
    name: '429 with Retry-After',
    when: [[askDirect, bad.refuse(429, 'slow down', { 'retry-after': '7' })]],
    kind: 'rate-limited',
    retryAfter: 7000,
    sends: 1
  },
  {
    name: '429 of the storage',
    when: [[send, bad.refuse(429, 'slow down', { 'retry-after': '7' })]],
    kind: 'rate-limited',
    retryAfter: 7000,
    sends: 1
  },
  {
    name: '401 when it asks where to send',
    when: [[askDirect, bad.refuse(401, 'The token is over.')]],
    kind: 'unauthorized',
    says: /token.*new one/s,
    sends: 1
  },
  {
    name: '401 in the middle',
    when: [[send, bad.refuseMidway(401, 1_000_000, 'The token is over.')]],
    kind: 'unauthorized',
    says: /The token is over\./,
    sends: 1
  },
  {
    name: '401 when it completes the upload',
    when: [[callback, bad.refuse(401, 'The token is over.')]],
    kind: 'unauthorized',
    sends: 1
  },
  {
    name: '402',
    when: [[askDirect, bad.refuse(402, 'Pay the bill.')]],
    kind: 'billing',
    says: /Pay the bill\./,
    sends: 1
  },
  {
    name: '403',
    when: [[askDirect, bad.refuse(403, 'Not you.')]],
    kind: 'forbidden',
    says: /Not you\./,
    sends: 1
  },
  {
    name: '413 in the middle',
    when: [[send, bad.refuseMidway(413, 1_000_000, 'Too large for this place.')]],
    kind: 'refused',
    says: /Too large for this place\./,
    sends: 1
  },
  {
    name: '507 in the middle',
    when: [[send, bad.refuseMidway(507, 1_000_000)]],
    kind: 'no-room',
    says: /no room/,
    sends: 1
  },
  { name: 'an address that is over', when: [[send, bad.expired()]], kind: null, sends: 1 },
  { name: 'an address that is unknown', when: [[send, bad.expired(404)]], kind: null, sends: 1 },
  {
    name: 'addresses that are always over',
    when: [[send, bad.expired(), { times: 3 }]],
    kind: 'expired',
    says: /not used in time/,
    sends: 1
  },
  {
    name: 'an upload that is forgotten before it is completed',
    when: [[callback, bad.refuse(404)]],
    kind: null,
    sends: 2
  },
  {
    name: 'no direct uploads',
    when: [[askDirect, bad.refuse(404), { times: Infinity }]],
    kind: null,
    sends: 1
  },
  {
    name: 'no direct uploads, in other words',
    when: [[askDirect, bad.refuse(405), { times: Infinity }]],
    kind: null,
    sends: 1
  },
  {
    name: '503 though a simple upload has arrived',
    when: [
      [askDirect, bad.refuse(404), { times: Infinity }],
      [send, bad.doAndRefuse(503)]
    ],
    kind: null,
    sends: 1
  },
  {
    name: 'bytes that are damaged on the way',
    when: [[send, bad.damageIncoming]],
    kind: 'damaged',
    says: /checksum/,
    sends: 2
  },
  {
    name: 'another checksum than that of what was sent',
    when: [
      [
        { method: 'GET', path: /provider\/virtualbox\/amd64$/ },
        bad.change((json) => ({ ...json, checksum: digest(Buffer.from('x')) })),
        { skip: 2 }
      ]
    ],
    kind: 'damaged',
    says: /another checksum/,
    sends: 1,
    arrives: true
  },
  {
    name: 'silence in place of an answer',
    when: [[askDirect, bad.hang]],
    kind: 'offline',
    says: /did not answer/,
    sends: 1
  },
  {
    name: 'silence after the last byte',
    when: [[send, bad.hang]],
    kind: 'offline',
    says: /did not answer/,
    sends: 2
  },
  {
    name: 'nobody who takes the bytes',
    when: [[send, bad.neverRead]],
    kind: 'offline',
    says: /stopped taking|did not answer/,
    sends: 1
  },
  {
    name: 'a page in place of an answer',
    when: [[askDirect, bad.page()]],
    kind: 'odd',
    says: /sign-in page/,
    sends: 1
  },
  { name: 'a page in place of the upload', when: [[send, bad.page(502)]], kind: 'busy', sends: 1 },
  {
    name: 'a way to somewhere else in place of an answer',
    when: [[askDirect, (victim) => bad.redirectTo(remote.trap.url)(victim)]],
    kind: 'odd',
    says: /sends requests on to 127/,
    sends: 1
  },
  {
    name: 'a way to somewhere else in place of the upload',
    when: [[send, (victim) => bad.redirectTo(remote.trap.url, 307)(victim)]],
    kind: 'odd',
    sends: 1
  },
  {
    name: 'a way to somewhere else in place of completing',
    when: [[callback, (victim) => bad.redirectTo(remote.trap.url, 307)(victim)]],
    kind: 'odd',
    sends: 1
  },
  {
    name: 'an address for the bytes that is not safe',
    when: [[askDirect, bad.change((json) => ({ ...json, upload_path: 'http://storage.example/x' }))]],
    kind: 'odd',
    says: /not safe/,
    sends: 1
  },
  {
    name: 'an address that is none',
    when: [[askDirect, bad.change((json) => ({ ...json, upload_path: 'file:///etc/passwd' }))]],
    kind: 'odd',
    sends: 1
  },
  {
    name: 'a way of completing that is none',
    when: [[askDirect, bad.change((json) => ({ ...json, callback: 'https://elsewhere.example/steal' }))]],
    kind: 'odd',
    sends: 1
  },
  {
    name: 'a way of completing at another host',
    when: [
      [
        askDirect,
        (victim) =>
          bad.change((json) => ({
            ...json,
            callback: String(json['callback']).replace(remote.url, remote.trap.url)
          }))(victim)
      ]
    ],
    kind: null,
    sends: 1
  },
  {
    name: 'JSON that never ends',
    when: [[askDirect, bad.endless('{"a":[', '"xxxxxxxx",')]],
    kind: 'odd',
    says: /bytes at once/,
    sends: 1
  },
  { name: 'an answer that comes drop by drop', when: [[askDirect, bad.drip]], kind: 'offline', sends: 1 }
]

describe('sending a file to a remote that answers with', () => {
  it.each(putting.map((each) => [each.name, each] as const))(
    '%s',
    async (_name, { when, kind, says, retryAfter, sends, arrives }) => {
      const memo = memoInMemory()
      const checksums = { sha256: digest(big) }
      const put = () =>
        end.put(tag, empty, bytesToPut(big), {
          signal: never,
          memo,
          onProgress: () => {},
          onVerifying: () => {}
        })
      await end.carryOut(tag, { kind: 'remove-image', ...empty }, never)
      await end.carryOut(
        tag,
        { kind: 'create-image', ...empty, isDefault: true, url: null, checksums, known: null },
        never
      )
      for (const [match, misbehaviour, often] of when) remote.when(match, misbehaviour, often)
      if (kind === null) await put()
      else {
        const failure = await failureOf(put())
        expect(failure.kind, failure.message).toBe(kind)
        if (says) expect(failure.message).toMatch(says)
        expect(failure.retryAfter).toBe(retryAfter ?? null)
        expect(fileOf(empty).blob, 'nothing by halves').toBe(arrives ? digest(big) : null)
        // It is tried again, by itself or by the person, and goes on from there.
        await put()
      }
      expect(remote.spent, 'it came to what was to go wrong').toBe(true)
      expect(fileOf(empty)).toMatchObject({ blob: digest(big), checksum: digest(big) })
      expect(memo.value).toBeNull()
      const whole = remote.noted.filter(
        (one) => one.method === 'PUT' && one.path.startsWith('/upload/') && one.bytes === big.length
      )
      expect(whole).toHaveLength(sends)
      expect(fileOf(full).blob, 'what was there before stays').toBe(digest(fullBytes))
      // Once it is there, it is not sent again whoever asks for it.
      remote.forget()
      await put()
      expect(remote.count(send)).toBe(0)
    }
  )

  it('more than it takes by direct uploads gets it by a simple one', async () => {
    const { end } = await httpEnd(remote.url, registry.tokens.owner, {
      limits: { ...limits, directBytes: 1000 }
    })
    const bytes = bytesToPut(big)
    await end.put(tag, empty, bytes, {
      signal: never,
      memo: memoInMemory(),
      onProgress: () => {},
      onVerifying: () => {}
    })
    expect([remote.count(askDirect), remote.count(askSimple), remote.count(callback)]).toEqual([0, 1, 0])
    expect(fileOf(empty).blob).toBe(digest(big))
  })

  it('crashes between the last byte and the call that completes it do not make it sent again', async () => {
    const memo = memoInMemory()
    const crash = new AbortController()
    const options = { memo, onProgress: () => {}, onVerifying: () => {} }
    const work = end.put(tag, empty, bytesToPut(big), { ...options, signal: crash.signal })
    const write = memo.write.bind(memo)
    memo.write = (value) => {
      write(value)
      crash.abort(new Error('the power went'))
    }
    await expect(work).rejects.toThrow('the power went')
    expect(memo.value).toMatchObject({ callback: expect.stringContaining('/upload/direct/') })
    memo.write = write
    const again = bytesToPut(big)
    await end.put(tag, empty, again, { ...options, signal: never })
    expect(again.opened).toEqual([])
    expect(fileOf(empty).blob).toBe(digest(big))
  })

  it('a note of an earlier file is not taken for one of this', async () => {
    const memo = memoInMemory()
    const other = randomBytes(1000)
    remote.when(callback, bad.refuse(500))
    const options = { signal: never, memo, onProgress: () => {}, onVerifying: () => {} }
    await failureOf(end.put(tag, empty, bytesToPut(other), options))
    await end.put(tag, empty, bytesToPut(big), options)
    expect(fileOf(empty).blob).toBe(digest(big))
  })
})

interface Fetch {
  readonly name: string
  readonly when: Case['when']
  readonly from?: number
  readonly kind?: FailureKind
  readonly says?: RegExp
  /** What comes all the same; else all from where it was asked. */
  readonly startsAt?: number
  readonly breaks?: FailureKind
}

const fetching: readonly Fetch[] = [
  { name: 'nothing', when: [] },
  { name: 'nothing, in the middle', when: [], from: 1000 },
  { name: 'less than it said', when: [[download, bad.truncate(500)]], breaks: 'offline' },
  {
    name: 'less than it said, in the middle',
    when: [[download, bad.truncate(500)]],
    from: 1000,
    breaks: 'offline'
  },
  {
    name: 'a file that is shorter than the one it told of',
    when: [[download, bad.shorten(500)]],
    kind: 'damaged',
    says: /bytes and sends one of 500/
  },
  { name: 'the whole in place of a part', when: [[download, bad.ignoreRange]], from: 1000, startsAt: 0 },
  { name: 'another part', when: [[download, bad.wrongRange]], from: 1000, startsAt: 0 },
  { name: '416', when: [[download, bad.refuse(416)]], from: 1000, startsAt: 0 },
  { name: 'silence', when: [[download, bad.hang]], kind: 'offline', says: /did not answer/ },
  { name: 'silence in the middle', when: [[download, bad.stall(500)]], breaks: 'offline' },
  { name: 'a page', when: [[download, bad.page()]], kind: 'odd', says: /web page/ },
  { name: '401', when: [[download, bad.refuse(401)]], kind: 'unauthorized' },
  { name: '402', when: [[download, bad.refuse(402)]], kind: 'billing' },
  { name: '404', when: [[download, bad.refuse(404)]], kind: 'missing' },
  { name: '429', when: [[download, bad.refuse(429)]], kind: 'rate-limited' },
  { name: '500', when: [[download, bad.refuse(500)]], kind: 'busy' },
  {
    name: 'a way round in circles',
    when: [[download, (victim) => bad.redirectTo(victim.request.url ?? '')(victim), { times: Infinity }]],
    kind: 'odd',
    says: /without end/
  },
  {
    name: 'a way to a place that is no address',
    when: [[download, bad.redirectTo('javascript:alert(1)')]],
    kind: 'odd'
  },
  {
    name: 'a way to a file on this computer',
    when: [[download, bad.redirectTo('file:///etc/passwd')]],
    kind: 'odd'
  }
]

describe('fetching a file from a remote that answers with', () => {
  it.each(fetching.map((each) => [each.name, each] as const))(
    '%s',
    async (_name, { when, from = 0, kind, says, startsAt, breaks }) => {
      for (const [match, misbehaviour, often] of when) remote.when(match, misbehaviour, often)
      const open = end.open(tag, full, from, never)
      if (kind !== undefined) {
        const failure = await failureOf(open)
        expect(failure.kind, failure.message).toBe(kind)
        if (says) expect(failure.message).toMatch(says)
      } else {
        const opened = await open
        expect(opened.from).toBe(startsAt ?? from)
        expect(opened.size).toBe(fullBytes.length)
        if (breaks === undefined)
          expect((await allOf(opened)).equals(fullBytes.subarray(opened.from))).toBe(true)
        else {
          const chunks: Buffer[] = []
          const failure = await failureOf(
            (async () => {
              for await (const chunk of opened.body as AsyncIterable<Buffer>) chunks.push(chunk)
            })()
          )
          expect(failure.kind).toBe(breaks)
          // What came before is good to go on from.
          const got = Buffer.concat(chunks)
          expect(got.equals(fullBytes.subarray(from, from + got.length))).toBe(true)
          const rest = await allOf(await end.open(tag, full, from + got.length, never))
          expect(Buffer.concat([got, rest]).equals(fullBytes.subarray(from))).toBe(true)
        }
      }
      expect(remote.spent).toBe(true)
    }
  )

  it('a way to another host goes there without the token', async () => {
    remote.when(download, bad.redirectTo(`${remote.trap.url}/file.box`))
    expect((await allOf(await end.open(tag, full, 0, never))).toString()).toBe('{}')
    expect(remote.trap.noted).toMatchObject([{ path: '/file.box', token: null }])
  })

  it('a bit turned over hands it on: who takes the bytes compares', async () => {
    remote.when(download, bad.damageOutgoing)
    expect(digest(await allOf(await end.open(tag, full, 0, never)))).not.toBe(digest(fullBytes))
  })
})

describe('reading a remote that answers with', () => {
  const cases: readonly [string, Misbehaviour, FailureKind, RegExp?][] = [
    ['500', bad.refuse(500), 'busy'],
    [
      '503 and when to come back',
      bad.refuse(503, 'Maintenance until noon.', { 'retry-after': '60' }),
      'busy',
      /Maintenance until noon\./
    ],
    ['429', bad.refuse(429), 'rate-limited'],
    ['401', bad.refuse(401), 'unauthorized'],
    ['402', bad.refuse(402), 'billing'],
    ['403', bad.refuse(403), 'forbidden'],
    ['a page', bad.page(), 'odd', /sign-in page/],
    ['a page that says 404', bad.page(404), 'odd', /sign-in page/],
    [
      'text',
      (victim) =>
        victim.answer({ status: 200, headers: { 'content-type': 'text/plain' }, body: Buffer.from('{}') }),
      'odd'
    ],
    [
      'broken JSON',
      (victim) =>
        victim.answer({
          status: 200,
          headers: { 'content-type': 'application/json' },
          body: Buffer.from('{"a":')
        }),
      'odd'
    ],
    ['JSON about something else', bad.say(200, { hello: 'world' }), 'odd'],
    ['a list', bad.say(200, []), 'odd'],
    ['JSON that never ends', bad.endless('{"versions":[', '{"version":"1.0.0"},'), 'odd', /bytes at once/],
    ['nesting without end', bad.endless('', '['), 'odd'],
    ['silence', bad.hang, 'offline', /did not answer/],
    ['silence in the middle', bad.stall(20), 'offline'],
    ['one byte at a time', bad.drip, 'offline'],
    ['half of it', bad.truncate(50), 'offline'],
    ['a cut line', bad.cutMidway(0), 'offline', /broke off/],
    [
      'a way elsewhere',
      (victim) => bad.redirectTo(`${remote.trap.url}/api/v2/box/acme/tiny`)(victim),
      'odd',
      /sends requests on/
    ],
    ['a way round in circles', (victim) => bad.redirectTo(victim.request.url ?? '')(victim), 'odd'],
    ['headers without end', bad.endlessHeaders, 'odd', /not HTTP/],
    ['hints without end', bad.endlessHints, 'offline', /did not answer/],
    ['an encoding nobody asked for', bad.say(200, {}, { 'content-encoding': 'gzip' }), 'odd']
  ]
  it.each(cases)('%s', async (_name, misbehaviour, kind, says) => {
    remote.when(readBox, misbehaviour, { times: Infinity })
    const failure = await failureOf(end.read(tag, never))
    expect(failure.kind, failure.message).toBe(kind)
    if (says) expect(failure.message).toMatch(says)
    expect(remote.trap.noted).toEqual([])
  })

  it('the token in its own errors hands none of it on', async () => {
    remote.when(
      readBox,
      bad.refuse(422, `bad token ${registry.tokens.owner}\u0007\n<b>x</b> ${'long '.repeat(200)}`)
    )
    const failure = await failureOf(end.read(tag, never))
    expect(failure.message).toContain('bad token …')
    expect(failure.message.length).toBeLessThan(500)
  })

  it('404 is no failure: the box is not there', async () => {
    remote.when(readBox, bad.refuse(404, 'Resource not found!'))
    expect(await end.read(tag, never)).toBeNull()
  })

  it('a connection that was closed while nobody used it is asked again', async () => {
    await end.read(tag, never)
    remote.when(readBox, bad.cutMidway(0))
    expect(await end.read(tag, never)).not.toBeNull()
  })
})

describe('changing a remote that', () => {
  const description = { kind: 'change-box', texts: { description: 'changed' } } as const
  const change = { method: 'PUT', path: /\/box\/acme\/tiny$/ }
  const described = () => registry.app.boxes.read(operator, 'acme', 'tiny').description

  it.each([
    ['says 503 though it succeeded', bad.doAndRefuse(503)],
    ['gives no answer though it succeeded', bad.doAndCut]
  ])('%s is done', async (_name, misbehaviour) => {
    remote.when(change, misbehaviour)
    await end.carryOut(tag, description, never)
    expect(described()).toBe('changed')
    expect(remote.count(change)).toBe(1)
  })

  it.each<[string, Misbehaviour, FailureKind]>([
    ['says 500 and does nothing', bad.refuseAfterAll(500), 'busy'],
    ['cuts the line', bad.cutMidway(0), 'offline'],
    ['asks for fewer requests', bad.refuse(429), 'rate-limited'],
    ['wants to be paid', bad.refuse(402), 'billing']
  ])('%s is as it was', async (_name, misbehaviour, kind) => {
    remote.when(change, misbehaviour, { times: Infinity })
    expect((await failureOf(end.carryOut(tag, description, never))).kind).toBe(kind)
    expect(described()).not.toBe('changed')
    remote.forget()
    await end.carryOut(tag, description, never)
    expect(described()).toBe('changed')
  })

  it('already has what somebody else made in the same moment takes it for done', async () => {
    const { versions } = registry.app
    const create = { method: 'POST', path: /\/versions$/ }
    const theirs = () =>
      void versions.create(operator, 'acme', 'tiny', { number: '3.0.0', description: 'theirs' })
    remote.when(create, bad.meanwhile(theirs))
    await end.carryOut(tag, { kind: 'create-version', version: '3.0.0', description: 'ours' }, never)
    expect(versions.read(operator, 'acme', 'tiny', '3.0.0').description).toBe('theirs')
  })

  it('was released by somebody else in the same moment takes it for done', async () => {
    const { versions } = registry.app
    await end.put(tag, empty, bytesToPut(big), {
      signal: never,
      memo: memoInMemory(),
      onProgress: () => {},
      onVerifying: () => {}
    })
    const theirs = () => void versions.release(operator, 'acme', 'tiny', '1.1.0')
    remote.when({ method: 'PUT', path: /release$/ }, bad.meanwhile(theirs))
    await end.carryOut(tag, { kind: 'release', version: '1.1.0' }, never)
    expect(versions.read(operator, 'acme', 'tiny', '1.1.0').status).toBe('active')
  })

  it('has no such organization says so', async () => {
    const failure = await failureOf(
      end.carryOut(
        { organization: 'nowhere', name: 'tiny' },
        { kind: 'create-box', texts: { shortDescription: '', description: '', private: true } },
        never
      )
    )
    expect(failure).toMatchObject({ kind: 'missing' })
    expect(failure.message).toMatch(/no organization nowhere/)
  })
})

describe('listing a remote that answers with', () => {
  const walk = async (cursor: string | null = null): Promise<{ boxes: Listed[]; cursor: string | null }> => {
    const listed = await end.list('acme', cursor, never)
    const boxes: Listed[] = []
    for await (const page of listed.boxes) boxes.push(...page)
    return { boxes, cursor: listed.cursor() }
  }

  const cases: readonly [string, Misbehaviour, FailureKind][] = [
    ['500', bad.refuse(500), 'busy'],
    ['401', bad.refuse(401), 'unauthorized'],
    ['a page', bad.page(), 'odd'],
    ['half of it', bad.truncate(150), 'offline'],
    ['silence in the middle', bad.stall(150), 'offline'],
    ['no list', bad.say(200, { username: 'acme' }), 'odd'],
    ['something else for a list', bad.say(200, { boxes: { a: 1 } }), 'odd'],
    ['a list without an end of its object', bad.shorten(200), 'odd'],
    ['a box that never ends', bad.endless('{"boxes":[{"name":"', 'xxxxxxxxxx'), 'odd'],
    ['boxes without end', bad.endless('{"boxes":[', '{"name":"b"},'), 'odd'],
    ['keys that never end', bad.endless('{"', 'xxxxxxxxxx'), 'offline'],
    ['drops', bad.drip, 'offline'],
    ['a way elsewhere', (victim) => bad.redirectTo(`${remote.trap.url}/api/v2/user/acme`)(victim), 'odd']
  ]
  it.each(cases)('%s breaks off, and has no cursor', async (_name, misbehaviour, kind) => {
    const { end: hasty } = await httpEnd(remote.url, registry.tokens.owner, {
      limits: { ...limits, listTime: 1_000 }
    })
    remote.when(listing, misbehaviour, { times: Infinity })
    let cursor = (): string | null => null
    const failure = await failureOf(
      (async () => {
        const listed = await hasty.list('acme', null, never)
        cursor = listed.cursor
        for await (const _ of listed.boxes);
      })()
    )
    expect(failure.kind, failure.message).toBe(kind)
    expect(cursor()).toBeNull()
  })

  it('an organization that is not there is a failure, not an empty list', async () => {
    const failure = await failureOf(
      end.list('nowhere', null, never).then(async ({ boxes }) => {
        for await (const _ of boxes);
      })
    )
    expect(failure).toMatchObject({ kind: 'missing' })
    expect(failure.message).toMatch(/no organization nowhere/)
  })

  it('nothing at all lists nothing: what follows from that is for others to judge', async () => {
    remote.when(listing, bad.emptyListing)
    expect((await walk()).boxes).toEqual([])
  })

  it('boxes whose names could not be had here are passed over', async () => {
    const odd = ['../../etc', 'a/b', '', null, 7, { a: 1 }, 'x'.repeat(500), '\u0000', 'fine']
    remote.when(
      listing,
      bad.say(200, { username: 'acme', boxes: [...odd.map((name) => ({ name })), null, 7, 'x', []] })
    )
    expect(await walk()).toMatchObject({ boxes: [{ organization: 'acme', name: 'fine', stamp: null }] })
  })

  it('more boxes than anybody would hold in memory, one after the other', async () => {
    const { end: patient } = await httpEnd(remote.url, registry.tokens.owner)
    remote.when(
      listing,
      bad.endless('{"boxes":[', `{"name":"b","updated_at":"x","description":"${'d'.repeat(500)}"},`)
    )
    const { boxes } = await patient.list('acme', null, never)
    let count = 0
    for await (const page of boxes) {
      count += page.length
      if (count > 50_000) break
    }
    expect(count).toBeGreaterThan(50_000)
  })
})

describe('reaching a remote', () => {
  const reach = (url: string, token: string | null = registry.tokens.owner) => httpEnd(url, token, { limits })

  it('tells whose the token is, which organizations that has, and which registry it is', async () => {
    const { introduction } = await reach(remote.url)
    expect(introduction).toMatchObject({
      api: 'v2',
      account: 'owner',
      organizations: ['acme', 'owner'],
      notes: []
    })
    expect(introduction.identity).toBe(`registry ${registry.app.accounts.registryId()}`)
    expect((await reach(registry.url, registry.tokens.viewer)).introduction.identity).toBe(
      introduction.identity
    )
    const other = await start()
    other.app.db.prepare("UPDATE settings SET value = '\"another-registry\"' WHERE key = 'registryId'").run()
    expect((await reach(other.url, other.tokens.owner)).introduction.identity).not.toBe(introduction.identity)
  })

  it('without a token tells that nothing can be published, and reads what is public', async () => {
    const { end, introduction } = await reach(remote.url, null)
    expect(introduction).toMatchObject({ api: 'v2', account: null, organizations: [] })
    expect(introduction.notes.join()).toMatch(/Without a token/)
    expect(end.traits.writable).toBe(false)
    expect(await end.read(tag, never)).not.toBeNull()
    expect(await end.read({ organization: 'acme', name: 'secret' }, never)).toBeNull()
    expect((await failureOf(end.list(null, null, never))).message).toMatch(/without a token/)
  })

  const authenticate = { path: /\/authenticate/ }
  it.each<[string, Misbehaviour, FailureKind, RegExp?]>([
    ['a token it does not take', bad.refuse(401, 'Who is this?'), 'unauthorized', /Who is this\?/],
    ['a bill', bad.refuse(402), 'billing'],
    ['a page', bad.page(), 'odd', /sign-in page/],
    ['404 to everything', bad.refuse(404), 'odd', /no registry at this address/],
    ['JSON about something else', bad.say(200, { status: 'ok' }), 'odd'],
    ['maintenance', bad.refuse(503), 'busy'],
    ['silence', bad.hang, 'offline'],
    ['a way elsewhere', (victim) => bad.redirectTo(remote.trap.url)(victim), 'odd']
  ])('that answers with %s says so', async (_name, misbehaviour, kind, says) => {
    remote.when(authenticate, misbehaviour, { times: Infinity })
    const failure = await failureOf(reach(remote.url))
    expect(failure.kind, failure.message).toBe(kind)
    if (says) expect(failure.message).toMatch(says)
    expect(remote.trap.noted).toEqual([])
  })

  it('where nobody listens says so', async () => {
    const { url } = registry
    await registry.close()
    const failure = await failureOf(reach(url))
    expect(failure).toMatchObject({ kind: 'offline', ambiguous: false })
    expect(failure.message).toMatch(/Nothing answers at 127/)
  })

  it('by plain http over a network is not tried unless that is allowed', async () => {
    expect(await failureOf(reach('http://registry.example'))).toMatchObject({ kind: 'untrusted' })
  })

  it('that speaks something other than HTTP says so', async () => {
    const https = registry.url.replace('http:', 'https:')
    expect(await failureOf(reach(https))).toMatchObject({ kind: 'untrusted' })
  })
})
