import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { accessWorld } from '../../support/access.ts'

async function world() {
  const made = accessWorld()
  const [alice, bob] = [await made.accounts.addUser('alice'), await made.accounts.addUser('bob')]
  return { ...made, alice, bob }
}

describe('a token', () => {
  it('is long, random and recognisable, and is stored as its hash alone', async () => {
    const { tokens, alice, db, clock } = await world()
    const issued = Array.from({ length: 20 }, () => tokens.issue(alice.id, 'build machine'))
    for (const { token, hash, description, createdAt } of issued) {
      expect(token).toMatch(/^boxyard_[A-Za-z0-9_-]{43}$/)
      expect(hash).toBe(createHash('sha256').update(token).digest('hex'))
      expect({ description, createdAt }).toEqual({ description: 'build machine', createdAt: clock.time })
    }
    expect(new Set(issued.map((one) => one.token)).size).toBe(20)
    const stored = db.serialize().toString('latin1')
    for (const { token, hash } of issued) {
      expect(stored).toContain(hash)
      expect(stored).not.toContain(token.slice('boxyard_'.length))
    }
  })

  it('is listed without its text, for all users or one', async () => {
    const { tokens, alice, bob, clock } = await world()
    const first = tokens.issue(alice.id, 'a')
    const second = tokens.issue(bob.id)
    const common = { createdAt: clock.time, lastUsedAt: null }
    const expected = [
      { id: first.id, user: 'alice', description: 'a', ...common },
      { id: second.id, user: 'bob', description: '', ...common }
    ]
    expect(tokens.list()).toEqual(expected)
    expect(tokens.list('ALICE')).toEqual(expected.slice(0, 1))
    expect(tokens.list('nobody')).toEqual([])
  })

  it('is revoked by its id or by itself, once', async () => {
    const { tokens, alice } = await world()
    const [one, two, three] = [tokens.issue(alice.id), tokens.issue(alice.id), tokens.issue(alice.id)]
    tokens.revoke(one.id)
    expect(() => tokens.revoke(one.id)).toThrow(`There is no token ${one.id}.`)
    expect([tokens.revokeByValue(two.token), tokens.revokeByValue(two.token)]).toEqual([true, false])
    for (const wrong of [
      '',
      two.hash,
      three.hash,
      `${three.token} `,
      three.token.slice(0, -1),
      "' OR 1=1 --"
    ])
      expect(tokens.revokeByValue(wrong)).toBe(false)
    expect(tokens.list().map((token) => token.id)).toEqual([three.id])
  })

  it('has an id of its own, also after others were revoked', async () => {
    const { tokens, alice } = await world()
    const last = tokens.issue(alice.id)
    tokens.revoke(last.id)
    expect(tokens.issue(alice.id).id).toBeGreaterThan(last.id)
  })

  it('may be described in 255 characters', async () => {
    const { tokens, alice } = await world()
    expect(tokens.issue(alice.id, 'x'.repeat(255)).description).toHaveLength(255)
    expect(() => tokens.issue(alice.id, 'x'.repeat(256))).toThrow('256 characters long; 255 is the most')
    expect(tokens.list()).toHaveLength(1)
  })
})
