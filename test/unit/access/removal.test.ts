import { describe, expect, it } from 'vitest'
import { operator } from '../../../src-main/domain/model.ts'
import { catalogWorld, refusal } from '../../support/catalog.ts'

describe('an account that is removed', () => {
  it('takes its tokens and memberships with it, and leaves what it has made', async () => {
    const { accounts, tokens, authentication, boxes, addBox } = await world()
    addBox()
    const { id } = accounts.findUser('contributor')!
    const { token } = tokens.issue(id, 'laptop')
    const before = accounts.findOrganization('acme')!.revision
    accounts.removeUser('CONTRIBUTOR')
    expect(accounts.findUser('contributor')).toBeNull()
    expect(tokens.list()).toEqual([])
    expect(authentication(token)).toBe(0)
    expect(accounts.memberships().map(({ user }) => user)).not.toContain('contributor')
    expect(accounts.findOrganization('acme')!.revision).toBeGreaterThan(before)
    expect(boxes.read(operator, 'acme', 'tiny')).toMatchObject({ name: 'tiny' })
  })

  it('is never the owner of the registry, nor one that is not there', async () => {
    const { accounts } = await world()
    expect(refusal('invalid', () => accounts.removeUser('owner'))).toEqual([
      'owner is the owner of this registry, who stays.'
    ])
    refusal('missing', () => accounts.removeUser('nobody'))
  })

  it('is not the last admin of an organization with boxes, which are all named', async () => {
    const { accounts, boxes } = await world()
    for (const name of ['one', 'two', 'empty']) {
      accounts.addOrganization(name, 'stranger')
      if (name !== 'empty') boxes.create(operator, { organization: name, name: 'base' })
    }
    expect(refusal('invalid', () => accounts.removeUser('stranger'))).toEqual([
      'stranger is the last admin of one, two, which have boxes; make somebody else an admin there first.'
    ])
    accounts.setMember('one', 'admin', 'admin')
    accounts.setMember('two', 'viewer', 'admin')
    accounts.removeUser('stranger')
    expect(accounts.findOrganization('one')).toMatchObject({ ownerName: 'admin' })
    expect(accounts.findOrganization('empty')).toMatchObject({ ownerName: null })
  })
})

describe('an organization that is removed', () => {
  it('goes with its memberships, and its name is free again', async () => {
    const { accounts } = await world()
    accounts.removeOrganization('ACME')
    expect(accounts.findOrganization('acme')).toBeNull()
    expect(accounts.memberships().map(({ organization }) => organization)).toEqual(['owner'])
    expect(accounts.addOrganization('acme', 'stranger').ownerName).toBe('stranger')
  })

  it('has no boxes, and is not that of the owner', async () => {
    const { accounts, addBox } = await world()
    addBox()
    expect(refusal('invalid', () => accounts.removeOrganization('acme'))).toEqual([
      'acme has boxes. Delete them first, then the organization.'
    ])
    refusal('invalid', () => accounts.removeOrganization('owner'))
    refusal('missing', () => accounts.removeOrganization('nobody'))
  })

  it('leaves no deleted box behind that could come back in an organization made later', async () => {
    const { accounts, boxes, trash, addBox } = await world()
    boxes.create(operator, { organization: 'owner', name: 'other' })
    addBox()
    boxes.remove(operator, 'acme', 'tiny')
    boxes.remove(operator, 'owner', 'other')
    const idBefore = accounts.findOrganization('acme')!.id
    accounts.removeOrganization('acme')
    expect(trash.list().map(({ what }) => what)).toEqual(['owner/other'])
    expect(accounts.addOrganization('later', 'owner').id).toBe(idBefore)
  })
})

describe('the trash, when an organization is removed', () => {
  it('loses what was deleted of it, also among others and in parts, and is not read for that', async () => {
    const { db, accounts, boxes, versions, trash, addBox, addVersion } = await world()
    boxes.create(operator, { organization: 'owner', name: 'other' })
    addBox('one')
    addBox('two')
    addVersion('1.0.0', 'two')
    versions.remove(operator, 'acme', 'two', '1.0.0')
    boxes.remove(operator, 'acme', 'two')
    await boxes.removeMany(
      operator,
      [boxes.read(operator, 'acme', 'one'), boxes.read(operator, 'owner', 'other')].map(({ id }) => id)
    )
    expect(trash.list()).toHaveLength(3)
    db.exec("UPDATE trash_items SET content = 'x' || content")
    accounts.removeOrganization('acme')
    expect(trash.list().map(({ what }) => what)).toEqual(['2 boxes'])
    db.exec('UPDATE trash_items SET content = substr(content, 2)')
    trash.restore(operator, trash.list()[0]!.id)
    expect(boxes.read(operator, 'owner', 'other')).toMatchObject({ name: 'other' })
    refusal('missing', () => boxes.read(operator, 'acme', 'one'))
  })
})

describe('what an organization says of itself', () => {
  it('is kept as it was written and as HTML, and makes its documents new', async () => {
    const { accounts } = await world()
    const before = accounts.findOrganization('acme')!.revision
    accounts.setProfile('Acme', { markdown: '# Hello', html: '<h1>Hello</h1>' })
    expect(accounts.findOrganization('acme')).toMatchObject({
      profileMarkdown: '# Hello',
      profileHtml: '<h1>Hello</h1>',
      revision: before + 1
    })
    refusal('missing', () => accounts.setProfile('nobody', { markdown: '', html: '' }))
  })
})

async function world() {
  const made = await catalogWorld()
  const authentication = (token: string): number =>
    made.db.prepare('SELECT count(*) FROM tokens WHERE hash = ?').pluck().get(token) as number
  return { ...made, authentication }
}
