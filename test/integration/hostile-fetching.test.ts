import { describe, expect, it } from 'vitest'
import type { FailureKind } from '../../src-main/remotes/failure.ts'
import { allOf } from '../contract/end.ts'
import * as bad from '../support/hostile-remote.ts'
import { type Misbehaviour } from '../support/hostile-remote.ts'
import {
  tag,
  full,
  fullBytes,
  download,
  readBox,
  registry,
  remote,
  end,
  eachWithHostileRemote,
  failureOf,
  never,
  type Arranged
} from '../support/hostile-end.ts'
import { sha256 } from '../support/sha256.ts'

eachWithHostileRemote()

interface Fetch {
  readonly name: string
  readonly when: Arranged
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
    expect(sha256(await allOf(await end.open(tag, full, 0, never)))).not.toBe(sha256(fullBytes))
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
