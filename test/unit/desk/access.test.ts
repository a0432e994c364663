import { describe, expect, it, onTestFinished } from 'vitest'
import { DiskUsage } from '../../../src-main/catalog/usage.ts'
import type { DeskEvent } from '../../../src-main/contract/desk.ts'
import { accessHandlers } from '../../../src-main/desk/access.ts'
import { Hub } from '../../../src-main/desk/hub.ts'
import { tokenHash } from '../../../src-main/access/tokens.ts'
import { laterRefusal, refusal } from '../../support/catalog.ts'
import { upkeepWorld } from '../../support/upkeep.ts'

async function world() {
  const made = await upkeepWorld()
  const usage = new DiskUsage(made.dataDir)
  onTestFinished(() => usage.close())
  const hub = new Hub(made.log)
  const events: DeskEvent[] = []
  hub.subscribe((event) => void events.push(event))
  const desk = accessHandlers({ ...made, usage, hub })
  return { ...made, events, desk, view: async () => desk.access({}) }
}

describe('who has access, at the window', () => {
  it('is shown with roles, ways in and boxes', async () => {
    const { desk, view, addBox } = await world()
    await desk['access.addAccount']({ name: 'alice', email: 'alice@example.org', password: 'correct horse' })
    await desk['access.addOrganization']({ name: 'lab', owner: 'alice' })
    await desk['access.setMember']({ organization: 'lab', user: 'viewer', role: 'viewer' })
    await desk['access.setProfile']({ name: 'lab', profile: '*lab*' })
    addBox()
    const { accounts, organizations } = await view()
    expect(accounts.find(({ name }) => name === 'alice')).toEqual({
      name: 'alice',
      email: 'alice@example.org',
      isOwner: false,
      hasPassword: true,
      hasTwoFactor: false,
      createdAt: expect.any(Number),
      memberOf: [{ organization: 'lab', role: 'admin' }]
    })
    expect(accounts.filter(({ isOwner }) => isOwner).map(({ name }) => name)).toEqual(['owner'])
    expect(organizations.map(({ name, boxes }) => [name, boxes])).toEqual([
      ['acme', 1],
      ['lab', 0],
      ['owner', 0]
    ])
    expect(organizations[1]).toMatchObject({
      profile: '*lab*',
      members: [
        { user: 'alice', role: 'admin' },
        { user: 'viewer', role: 'viewer' }
      ]
    })
    await desk['access.removeOrganization']({ name: 'lab' })
    await desk['access.removeAccount']({ name: 'alice' })
    expect((await view()).accounts.map(({ name }) => name)).not.toContain('alice')
  })

  it('holds no secret, but the token just made and the two-factor secret just made', async () => {
    const { desk, view, db } = await world()
    const { id, token } = await desk['access.issueToken']({ user: 'ADMIN', description: 'laptop' })
    const setup = await desk['access.setTwoFactor']({ name: 'admin', on: true })
    await desk['access.setPassword']({ name: 'admin', password: 'correct horse' })
    const hash = db.prepare('SELECT password_hash FROM users WHERE name_key = ?').pluck().get('admin')
    const shown = await view()
    expect(shown.tokens).toEqual([
      { id, user: 'admin', description: 'laptop', createdAt: expect.any(Number), lastUsedAt: null }
    ])
    const text = JSON.stringify(shown)
    for (const secret of [token, tokenHash(token), setup?.secret, hash]) {
      expect(secret).toBeTypeOf('string')
      expect(text).not.toContain(secret)
    }
    await desk['access.revokeToken']({ id })
    expect((await view()).tokens).toEqual([])
    expect(await desk['access.setTwoFactor']({ name: 'admin', on: false })).toBeNull()
  })

  it('shows and announces a code that somebody asked for', async () => {
    const { desk, view, events, signIn } = await world()
    await desk['access.setPassword']({ name: 'admin', password: 'correct horse' })
    await desk['access.setTwoFactor']({ name: 'admin', on: true })
    const ask = () => signIn.requestCode({ login: 'admin', password: 'correct horse', deliveryMethod: 'sms' })
    expect((await ask()).obfuscatedDestination).toContain('Access page')
    const [shown] = (await view()).codes
    expect(events).toEqual([
      {
        name: 'notice',
        data: {
          kind: 'info',
          sentence: `Sign-in code for admin: ${shown?.code}, valid for 5 minutes.`,
          to: '/access'
        }
      }
    ])
    expect(shown).toEqual({ user: 'admin', code: shown?.code, expiresAt: expect.any(Number) })
  })

  it('refuses what the services refuse', async () => {
    const { desk } = await world()
    refusal('missing', () => desk['access.issueToken']({ user: 'nobody', description: '' }))
    refusal('missing', () => desk['access.revokeToken']({ id: 4711 }))
    await laterRefusal(
      'invalid',
      Promise.resolve(desk['access.addAccount']({ name: 'a b', email: null, password: null }))
    )
  })
})
