import { describe, expect, it } from 'vitest'
import { Permissions } from '../../../src-main/access/permissions.ts'
import { anonymous, operator, roles, type Caller, type Role } from '../../../src-main/domain/model.ts'
import { accessWorld } from '../../support/access.ts'

type Person = 'anonymous' | 'stranger' | 'operator' | Role

async function world() {
  const { db, accounts } = accessWorld()
  const callers = new Map<Person, Caller>([
    ['anonymous', anonymous],
    ['operator', operator]
  ])
  for (const name of ['stranger', ...roles] as const) {
    const { id } = await accounts.addUser(name)
    callers.set(name, { kind: 'user', id, name })
  }
  const acme = accounts.addOrganization('Acme', 'admin')
  const other = accounts.addOrganization('other', 'stranger')
  for (const role of roles) accounts.setMember('acme', role, role)
  const caller = (person: Person): Caller => callers.get(person) ?? anonymous
  return { permissions: new Permissions(db), accounts, acme, other, caller }
}

describe('what a caller may do in an organization', () => {
  it.each([
    ['anonymous', null, [], 'unauthorized'],
    ['stranger', null, [], 'forbidden'],
    ['viewer', 'viewer', ['viewer'], 'forbidden'],
    ['contributor', 'contributor', ['viewer', 'contributor'], 'forbidden'],
    ['admin', 'admin', ['viewer', 'contributor', 'admin'], 'none'],
    ['operator', 'admin', ['viewer', 'contributor', 'admin'], 'none']
  ] as const)('as %s is that of the role %s', async (person, role, may, refusal) => {
    const { permissions, acme, caller } = await world()
    expect(permissions.roleIn(caller(person), acme.id)).toBe(role)
    expect(permissions.mayRead(caller(person), acme.id, false)).toBe(true)
    expect(permissions.mayRead(caller(person), acme.id, true)).toBe(role !== null)
    for (const needed of roles) {
      const asked = () => permissions.require(caller(person), acme.id, needed)
      if (may.some((one) => one === needed)) expect(asked).not.toThrow()
      else expect(asked).toThrow(expect.objectContaining({ kind: refusal }))
    }
  })

  it('is refused in words that say what is needed and what the caller has', async () => {
    const { permissions, acme, caller } = await world()
    expect(() => permissions.require(caller('viewer'), acme.id, 'admin')).toThrow(
      'This needs the role "admin" in the organization Acme; yours is "viewer".'
    )
    expect(() => permissions.require(caller('stranger'), acme.id, 'viewer')).toThrow(
      'you are not a member of it.'
    )
    expect(() => permissions.require(anonymous, acme.id, 'viewer')).toThrow('A valid token is needed')
  })

  it('spans those organizations the caller is in', async () => {
    const { permissions, acme, other, caller } = await world()
    expect(permissions.organizationsOf(caller('viewer'))).toEqual([acme.id])
    expect(permissions.organizationsOf(caller('stranger'))).toEqual([other.id])
    expect(permissions.organizationsOf(anonymous)).toEqual([])
    expect(permissions.organizationsOf(operator)).toBe('all')
  })

  it('changes at once when the membership does', async () => {
    const { permissions, accounts, acme, caller } = await world()
    accounts.setMember('acme', 'contributor', 'none')
    expect(permissions.roleIn(caller('contributor'), acme.id)).toBeNull()
    accounts.setMember('acme', 'contributor', 'viewer')
    expect(permissions.roleIn(caller('contributor'), acme.id)).toBe('viewer')
  })

  it('is nothing in an organization that does not exist', async () => {
    const { permissions, caller } = await world()
    expect(permissions.roleIn(caller('admin'), 4711)).toBeNull()
  })
})
