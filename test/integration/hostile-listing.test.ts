import { describe, expect, it } from 'vitest'
import { operator } from '../../src-main/domain/model.ts'
import type { Listed } from '../../src-main/remotes/end.ts'
import type { FailureKind } from '../../src-main/remotes/failure.ts'
import { bytesToPut, memoInMemory } from '../contract/end.ts'
import * as bad from '../support/hostile-remote.ts'
import { type Misbehaviour } from '../support/hostile-remote.ts'
import { httpEnd } from '../support/remote-ends.ts'
import {
  limits,
  big,
  tag,
  empty,
  listing,
  registry,
  remote,
  end,
  eachWithHostileRemote,
  failureOf,
  never,
  start
} from '../support/hostile-end.ts'

eachWithHostileRemote()

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
