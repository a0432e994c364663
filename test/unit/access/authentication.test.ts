import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Authentication } from '../../../src-main/access/authentication.ts'
import { revisionOf } from '../../../src-main/store/revision.ts'
import { accessWorld, openTestCatalogue } from '../../support/access.ts'

async function world() {
  const made = accessWorld()
  const alice = await made.accounts.addUser('Alice')
  const { token, id, hash } = made.tokens.issue(alice.id)
  const authentication = new Authentication(made.db, made.log)
  return { ...made, alice, token, hash, tokenId: id, authentication }
}

describe('the bearer of a token', () => {
  it('is the user it was made for', async () => {
    const { authentication, token, alice } = await world()
    const caller = { kind: 'user', id: alice.id, name: 'Alice' }
    expect(authentication.callerFor(token)).toEqual(caller)
    expect(authentication.callerFor(token)).toEqual(caller)
  })

  it.each([
    ['nothing', () => ''],
    ['another case', (token: string) => token.toUpperCase()],
    ['a part', (token: string) => token.slice(0, -1)],
    ['more', (token: string) => `${token}x`],
    ['another last letter', (token: string) => token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A')],
    ['what is stored', (_token: string, hash: string) => hash],
    ['a wildcard', () => `boxyard_${'%'.repeat(43)}`],
    ['a statement', () => `boxyard_${"' OR '1'='1".padEnd(43, ' ')}`],
    ['a very long text', () => 'boxyard_'.repeat(100_000)]
  ])('is nobody with %s', async (_what, text) => {
    const { authentication, token, hash } = await world()
    authentication.callerFor(token)
    expect(authentication.callerFor(text(token, hash))).toBeNull()
  })

  it('is nobody at once when the token is revoked, here or by another process', async () => {
    const { authentication, tokens, token, tokenId, alice, dataDir } = await world()
    const second = tokens.issue(alice.id)
    expect([authentication.callerFor(token), authentication.callerFor(second.token)]).not.toContain(null)
    tokens.revoke(tokenId)
    expect(authentication.callerFor(token)).toBeNull()
    openTestCatalogue(dataDir).prepare('DELETE FROM tokens').run()
    expect(authentication.callerFor(second.token)).toBeNull()
  })
})

describe('the last use of a token', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }))
  afterEach(() => void vi.useRealTimers())

  const lastUse = (tokens: { list(): { lastUsedAt: number | null }[] }) => tokens.list()[0]?.lastUsedAt

  it('is written soon after the first one, and from then on once a minute however often it is used', async () => {
    const { authentication, tokens, token, db } = await world()
    const revision = revisionOf(db)
    const started = Date.now()
    const before = revision()
    authentication.callerFor(token)
    expect([lastUse(tokens), revision()]).toEqual([null, before])
    const revisions = new Set<string>()
    for (let second = 1; second <= 180; second += 1) {
      vi.advanceTimersByTime(1000)
      authentication.callerFor(token)
      revisions.add(revision())
      if (second === 1) expect(lastUse(tokens)).toBe(started)
    }
    expect(revisions.size).toBeGreaterThanOrEqual(3)
    expect(revisions.size).toBeLessThanOrEqual(4)
    expect(Date.now() - (lastUse(tokens) ?? 0)).toBeLessThanOrEqual(120_000)
  })

  it('makes one write a minute for all tokens together', async () => {
    const { authentication, tokens, db, alice } = await world()
    const issued = Array.from({ length: 50 }, () => tokens.issue(alice.id))
    const revision = revisionOf(db)
    const revisions = new Set([revision()])
    for (const { token } of issued) {
      authentication.callerFor(token)
      vi.advanceTimersByTime(2000)
      revisions.add(revision())
    }
    // 100 seconds: the first one soon, the rest in one write a minute later.
    expect(revisions.size).toBe(3)
  })

  it('is written when the program ends, and never after', async () => {
    const { authentication, tokens, token } = await world()
    authentication.callerFor(token)
    authentication.close()
    expect(lastUse(tokens)).toBe(Date.now())
    expect(vi.getTimerCount()).toBe(0)
  })

  it('waits for nobody: a request is answered and the note kept while another process writes', async () => {
    const { authentication, tokens, token, dataDir, db } = await world()
    const other = openTestCatalogue(dataDir)
    other.exec('BEGIN IMMEDIATE')
    authentication.callerFor(token)
    const start = performance.now()
    vi.advanceTimersByTime(2000)
    expect(performance.now() - start).toBeLessThan(5000)
    expect(lastUse(tokens)).toBeNull()
    other.exec('COMMIT')
    expect(db.pragma('busy_timeout', { simple: true })).toBe(10_000)
    authentication.close()
    expect(lastUse(tokens)).not.toBeNull()
  })

  it('is only logged when it cannot be written', async () => {
    const { authentication, token, db, lines } = await world()
    authentication.callerFor(token)
    db.pragma('query_only = ON')
    vi.advanceTimersByTime(2000)
    expect(lines.join()).toContain('could not note when tokens were last used')
  })
})
