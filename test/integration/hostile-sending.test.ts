import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { FailureKind } from '../../src-main/remotes/failure.ts'
import { bytesToPut, memoInMemory } from '../contract/end.ts'
import * as bad from '../support/hostile-remote.ts'
import { httpEnd } from '../support/remote-ends.ts'
import {
  limits,
  big,
  tag,
  empty,
  full,
  fullBytes,
  askDirect,
  askSimple,
  send,
  callback,
  registry,
  remote,
  end,
  eachWithHostileRemote,
  failureOf,
  fileOf,
  never,
  type Arranged
} from '../support/hostile-end.ts'
import { sha256 } from '../support/sha256.ts'

eachWithHostileRemote()

interface Case {
  readonly name: string
  readonly when: Arranged
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
        bad.change((json) => ({ ...json, checksum: sha256(Buffer.from('x')) })),
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
      const checksums = { sha256: sha256(big) }
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
        expect(fileOf(empty).blob, 'nothing by halves').toBe(arrives ? sha256(big) : null)
        // It is tried again, by itself or by the person, and goes on from there.
        await put()
      }
      expect(remote.spent, 'it came to what was to go wrong').toBe(true)
      expect(fileOf(empty)).toMatchObject({ blob: sha256(big), checksum: sha256(big) })
      expect(memo.value).toBeNull()
      const whole = remote.noted.filter(
        (one) => one.method === 'PUT' && one.path.startsWith('/upload/') && one.bytes === big.length
      )
      expect(whole).toHaveLength(sends)
      expect(fileOf(full).blob, 'what was there before stays').toBe(sha256(fullBytes))
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
    expect(fileOf(empty).blob).toBe(sha256(big))
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
    expect(fileOf(empty).blob).toBe(sha256(big))
  })

  it('a note of an earlier file is not taken for one of this', async () => {
    const memo = memoInMemory()
    const other = randomBytes(1000)
    remote.when(callback, bad.refuse(500))
    const options = { signal: never, memo, onProgress: () => {}, onVerifying: () => {} }
    await failureOf(end.put(tag, empty, bytesToPut(other), options))
    await end.put(tag, empty, bytesToPut(big), options)
    expect(fileOf(empty).blob).toBe(sha256(big))
  })
})
