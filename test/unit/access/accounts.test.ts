import { describe, expect, it } from 'vitest'
import { organizationTable } from '../../../src-main/store/organizations.ts'
import { accessWorld } from '../../support/access.ts'

describe('a registry', () => {
  it('is told from others by an id that its first start makes and later ones keep', () => {
    const one = accessWorld()
    expect(one.accounts.registryId()).toBeNull()
    one.accounts.ensureOwner('alice')
    const id = one.accounts.registryId()
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
    const again = accessWorld(one.dataDir)
    again.accounts.ensureOwner('alice')
    expect(again.accounts.registryId()).toBe(id)
    const other = accessWorld()
    other.accounts.ensureOwner('alice')
    expect(other.accounts.registryId()).not.toBe(id)
  })

  it('gets its id with the next start when its folder is older than such ids', () => {
    const { accounts, db, dataDir } = accessWorld()
    accounts.ensureOwner('alice')
    db.prepare("DELETE FROM settings WHERE key = 'registryId'").run()
    const { accounts: later } = accessWorld(dataDir)
    expect(later.registryId()).toBeNull()
    later.ensureOwner('alice')
    expect(later.registryId()).not.toBeNull()
  })
})

describe('the owner', () => {
  it('is made once, with an organization of the same name, and stays who it is', () => {
    const { accounts } = accessWorld()
    expect(accounts.owner()).toBeNull()
    expect(accounts.ensureOwner('Alice')).toEqual({ created: true, name: 'Alice' })
    expect(accounts.ensureOwner('Alice')).toEqual({ created: false, name: 'Alice' })
    expect(accounts.ensureOwner('bob')).toEqual({ created: false, name: 'Alice' })
    expect(accounts.owner()).toMatchObject({ name: 'Alice', hasPassword: false, hasTwoFactor: false })
    expect(accounts.users()).toHaveLength(1)
    expect(accounts.memberships()).toEqual([{ organization: 'Alice', user: 'Alice', role: 'admin' }])
    expect(accounts.findOrganization('ALICE')).toMatchObject({
      name: 'Alice',
      ownerName: 'Alice',
      revision: 0
    })
  })

  it('may be a user who was added before, with an organization or without', async () => {
    for (const hasOrganization of [true, false]) {
      const { accounts } = accessWorld()
      await accounts.addUser('Alice', 'alice@example.org')
      if (hasOrganization) accounts.addOrganization('alice', 'alice')
      expect(accounts.ensureOwner('ALICE')).toEqual({ created: true, name: 'Alice' })
      expect(accounts.owner()).toMatchObject({ email: 'alice@example.org' })
      expect(accounts.organizations()).toHaveLength(1)
      expect(accounts.memberships()).toMatchObject([{ role: 'admin' }])
    }
  })

  it('takes over an organization of the same name that nobody owns, but no other', async () => {
    const { accounts, db, clock } = accessWorld()
    organizationTable(db).insert({ name: 'Acme', nameKey: 'acme', ownerId: null, now: clock.time })
    await accounts.addUser('bob')
    accounts.addOrganization('bobs', 'bob')
    expect(() => accounts.ensureOwner('bobs')).toThrow('The name "bobs" belongs to an organization')
    expect(accounts.ensureOwner('acme')).toEqual({ created: true, name: 'acme' })
    expect(accounts.findOrganization('acme')?.ownerName).toBe('acme')
    expect(accounts.memberships()).toContainEqual({ organization: 'Acme', user: 'acme', role: 'admin' })
  })

  it('is one for two processes that start at the same time', () => {
    const one = accessWorld()
    const two = accessWorld(one.dataDir)
    expect(one.accounts.ensureOwner('alice').created).toBe(true)
    expect(two.accounts.ensureOwner('bob')).toEqual({ created: false, name: 'alice' })
    expect(two.accounts.users()).toHaveLength(1)
  })

  it.each(['', 'api', 'a b', '../x', 'ä', 'x'.repeat(129)])(
    'may not be called %j, and nothing is made',
    (name) => {
      const { accounts } = accessWorld()
      expect(() => accounts.ensureOwner(name)).toThrow(/^The owner name/)
      expect([accounts.users(), accounts.organizations()]).toEqual([[], []])
    }
  )
})

describe('a user', () => {
  it('is found by its name in any case and shown as written', async () => {
    const { accounts, clock } = accessWorld()
    const added = await accounts.addUser('Ann-Marie', 'Ann@Example.org', 'correct horse')
    expect(added).toEqual({
      id: added.id,
      name: 'Ann-Marie',
      email: 'Ann@Example.org',
      hasPassword: true,
      hasTwoFactor: false,
      createdAt: clock.time
    })
    expect(accounts.findUser('ANN-MARIE')).toEqual(added)
    expect(accounts.findUser('ann@example.org')).toBeNull()
    expect(accounts.findUser("' OR 1=1 --")).toBeNull()
    expect(accounts.organizations()).toEqual([])
  })

  it.each([
    ['a name that is taken', 'ALICE', null, null, 'There is a user "ALICE" already.'],
    ['the name of an organization', 'Acme', null, null, 'belongs to an organization'],
    ['an address that is taken', 'bob', 'ALICE@example.org', null, 'belongs to another user'],
    ['a reserved name', 'Api', null, null, 'is reserved'],
    ['a name with letters of no URL', 'zoë', null, null, 'may hold only'],
    ['a name that only looks like a taken one', 'аlice', null, null, 'may hold only'],
    ['a name whose lower case is taken', '\u212Aate', null, null, 'may hold only'],
    ['a statement for a name', "x'); DROP TABLE users; --", null, null, 'may hold only'],
    ['no address', 'bob', '', null, 'is not an e-mail address'],
    ['an address without "@"', 'bob', 'bob', null, 'is not an e-mail address'],
    ['an address with a line break', 'bob', 'bob@x\nroot@y', null, 'is not an e-mail address'],
    ['too long an address', 'bob', `${'b'.repeat(250)}@x.org`, null, 'is not an e-mail address'],
    ['an empty password', 'bob', null, '', 'too short'],
    ['a short password', 'bob', null, '12345', 'too short'],
    ['too long a password', 'bob', null, 'x'.repeat(1025), 'too long']
  ])('is refused with %s', async (_what, name, email, password, why) => {
    const { accounts } = accessWorld()
    await accounts.addUser('alice', 'alice@example.org')
    await accounts.addUser('kate')
    accounts.addOrganization('acme', 'alice')
    await expect(accounts.addUser(name, email, password)).rejects.toMatchObject({
      kind: 'invalid',
      message: expect.stringContaining(why)
    })
    expect(accounts.users()).toHaveLength(2)
  })

  it('is one when two of the same name are added at once', async () => {
    const one = accessWorld()
    const two = accessWorld(one.dataDir)
    const results = await Promise.allSettled([
      one.accounts.addUser('alice', null, 'correct horse'),
      two.accounts.addUser('ALICE', null, 'correct horse')
    ])
    expect(results.map((r) => r.status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(one.accounts.users()).toHaveLength(1)
  })

  it('without whom nothing can be done is named', async () => {
    const { accounts } = accessWorld()
    const refusal = { kind: 'missing', message: 'There is no user "bob".' }
    await expect(accounts.setPassword('bob', 'correct horse')).rejects.toMatchObject(refusal)
    expect(() => accounts.setTwoFactor('bob', true)).toThrow(expect.objectContaining(refusal))
    expect(() => accounts.addOrganization('acme', 'bob')).toThrow(expect.objectContaining(refusal))
  })

  it('has two-factor on once, with a new secret each time', async () => {
    const { accounts } = accessWorld()
    await accounts.addUser('alice')
    const first = accounts.setTwoFactor('ALICE', true)
    expect(first?.url).toContain(`otpauth://totp/Boxyard:alice?secret=${first?.secret}`)
    expect(() => accounts.setTwoFactor('alice', true)).toThrow('already on for alice')
    expect(accounts.findUser('alice')?.hasTwoFactor).toBe(true)
    expect(accounts.setTwoFactor('alice', false)).toBeNull()
    expect(accounts.setTwoFactor('alice', false)).toBeNull()
    expect(accounts.findUser('alice')?.hasTwoFactor).toBe(false)
    expect(accounts.setTwoFactor('alice', true)?.secret).not.toBe(first?.secret)
  })
})

describe('an organization', () => {
  async function world() {
    const made = accessWorld()
    for (const name of ['Alice', 'bob', 'carol']) await made.accounts.addUser(name)
    made.accounts.addOrganization('Acme', 'alice')
    return made
  }

  it('is found by its name in any case, and its owner is its admin', async () => {
    const { accounts, clock } = await world()
    expect(accounts.findOrganization('ACME')).toEqual({
      id: expect.any(Number),
      name: 'Acme',
      ownerName: 'Alice',
      profileMarkdown: '',
      profileHtml: '',
      revision: 0,
      createdAt: clock.time,
      updatedAt: clock.time
    })
    expect(accounts.memberships()).toEqual([{ organization: 'Acme', user: 'Alice', role: 'admin' }])
    expect(accounts.findOrganization('acme2')).toBeNull()
  })

  it.each([
    ['aCME', 'There is an organization "aCME" already.'],
    ['BOB', 'The name "BOB" belongs to another user'],
    ['upload', 'is reserved'],
    ['a/b', 'may hold only'],
    ['', 'is missing']
  ])('may not be called %j', async (name, why) => {
    const { accounts } = await world()
    expect(() => accounts.addOrganization(name, 'alice')).toThrow(why)
    expect(accounts.organizations()).toHaveLength(1)
  })

  it('may bear the name of its own owner', async () => {
    const { accounts } = await world()
    expect(accounts.addOrganization('alice', 'ALICE')).toMatchObject({ name: 'alice', ownerName: 'Alice' })
  })

  it('lets members in, changes what they may do and puts them out', async () => {
    const { accounts, clock } = await world()
    const roles = () => accounts.memberships().map(({ user, role }) => `${user} ${role}`)
    accounts.setMember('acme', 'bob', 'viewer')
    expect(roles()).toEqual(['Alice admin', 'bob viewer'])
    clock.pass(1000)
    accounts.setMember('ACME', 'BOB', 'contributor')
    expect(roles()).toEqual(['Alice admin', 'bob contributor'])
    expect(accounts.findOrganization('acme')).toMatchObject({ revision: 2, updatedAt: clock.time })
    accounts.setMember('acme', 'bob', 'none')
    accounts.setMember('acme', 'bob', 'none')
    expect(roles()).toEqual(['Alice admin'])
    expect(() => accounts.setMember('nowhere', 'bob', 'viewer')).toThrow(
      'There is no organization "nowhere".'
    )
  })

  it.each(['none', 'viewer', 'contributor'] as const)(
    'keeps its last admin from becoming %s',
    async (role) => {
      const { accounts } = await world()
      accounts.setMember('acme', 'bob', 'contributor')
      expect(() => accounts.setMember('acme', 'alice', role)).toThrow('Alice is the last admin of Acme')
      accounts.setMember('acme', 'bob', 'admin')
      accounts.setMember('acme', 'alice', role)
      expect(() => accounts.setMember('acme', 'bob', role)).toThrow('bob is the last admin of Acme')
    }
  )

  it('passes to another admin when its owner stops being one', async () => {
    const { accounts } = await world()
    accounts.setMember('acme', 'carol', 'admin')
    accounts.setMember('acme', 'bob', 'admin')
    expect(accounts.findOrganization('acme')?.ownerName).toBe('Alice')
    accounts.setMember('acme', 'alice', 'viewer')
    expect(accounts.findOrganization('acme')?.ownerName).toBe('bob')
    accounts.setMember('acme', 'carol', 'none')
    expect(accounts.findOrganization('acme')?.ownerName).toBe('bob')
  })
})
