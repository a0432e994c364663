import { describe, expect, it } from 'vitest'
import { operator } from '../../../src-main/domain/model.ts'
import { catalogWorld, refusal, someoneUnknown } from '../../support/catalog.ts'

describe('making a box', () => {
  it('takes the usual for what is null or absent: private, and "" for every text', async () => {
    const { boxes, callers } = await catalogWorld()
    const input = {
      organization: 'acme',
      name: 'Tiny',
      shortDescription: null,
      description: null,
      private: null
    }
    expect(boxes.create(callers.contributor, input)).toMatchObject({
      organization: 'acme',
      name: 'Tiny',
      shortDescription: '',
      description: '',
      descriptionHtml: '',
      private: true,
      downloads: 0,
      currentVersion: null,
      versions: []
    })
  })

  it('renders the description', async () => {
    const { boxes } = await catalogWorld()
    const box = boxes.create(operator, { organization: 'acme', name: 'tiny', description: '*a* <b>' })
    expect(box.descriptionHtml).toBe('<p><em>a</em> &lt;b&gt;</p>')
  })

  it('is refused for a name that exists, without regard to case', async () => {
    const { boxes, addBox } = await catalogWorld()
    addBox('Tiny')
    const [sentence] = refusal('invalid', () =>
      boxes.create(operator, { organization: 'ACME', name: 'tINY' })
    )
    expect(sentence).toMatch(/^There already is a box acme\/Tiny/)
  })

  it('says everything that is wrong at once', async () => {
    const { boxes } = await catalogWorld()
    const wrong = { name: 'a b', shortDescription: 'x'.repeat(256), description: 'x'.repeat(300_000) }
    expect(refusal('invalid', () => boxes.create(operator, wrong))).toEqual([
      expect.stringMatching(/^The organization of the box is missing/),
      expect.stringMatching(/^The box name "a b" may hold only/),
      expect.stringMatching(/^The short description is 256/),
      expect.stringMatching(/^The description is 300000/)
    ])
  })

  it('is for members who may change things', async () => {
    const { boxes, callers } = await catalogWorld()
    const input = { organization: 'acme', name: 'tiny' }
    refusal('unauthorized', () => boxes.create(someoneUnknown, input))
    refusal('unauthorized', () => boxes.create(someoneUnknown, { ...input, organization: 'nobody' }))
    refusal('forbidden', () => boxes.create(callers.stranger, input))
    refusal('forbidden', () => boxes.create(callers.viewer, input))
    expect(
      refusal('missing', () => boxes.create(callers.admin, { ...input, organization: 'nobody' }))
    ).toEqual(['Resource not found!'])
    expect(boxes.create(callers.contributor, input).name).toBe('tiny')
  })
})

describe('changing a box', () => {
  it('leaves what is null or absent, and clears texts with ""', async () => {
    const { boxes } = await catalogWorld()
    boxes.create(operator, {
      organization: 'acme',
      name: 'tiny',
      shortDescription: 's',
      description: 'd',
      private: false
    })
    const before = boxes.read(operator, 'acme', 'tiny')
    const nulls = { name: null, shortDescription: null, description: null, private: null }
    for (const input of [nulls, {}])
      expect(boxes.update(operator, 'acme', 'tiny', input)).toEqual({
        ...before,
        revision: expect.any(Number)
      })
    expect(boxes.update(operator, 'acme', 'tiny', { shortDescription: '', description: '' })).toMatchObject({
      shortDescription: '',
      description: '',
      descriptionHtml: '',
      private: false
    })
  })

  it('renames, also to the same name written differently, but not to one that is taken', async () => {
    const { boxes, addBox } = await catalogWorld()
    addBox('tiny')
    addBox('other')
    expect(boxes.update(operator, 'acme', 'tiny', { name: 'TINY' }).name).toBe('TINY')
    expect(boxes.update(operator, 'acme', 'tiny', { name: 'small' }).name).toBe('small')
    refusal('missing', () => boxes.read(operator, 'acme', 'tiny'))
    refusal('invalid', () => boxes.update(operator, 'acme', 'small', { name: 'Other' }))
    refusal('invalid', () => boxes.update(operator, 'acme', 'small', { name: '' }))
  })

  it('needs a contributor; who may not see a private box is told it is not there', async () => {
    const { boxes, addBox, callers } = await catalogWorld()
    addBox('public', false)
    addBox('secret', true)
    refusal('unauthorized', () => boxes.update(someoneUnknown, 'acme', 'secret', {}))
    refusal('unauthorized', () => boxes.update(someoneUnknown, 'acme', 'no-such', {}))
    refusal('forbidden', () => boxes.update(callers.stranger, 'acme', 'public', {}))
    refusal('missing', () => boxes.update(callers.stranger, 'acme', 'secret', {}))
    refusal('forbidden', () => boxes.update(callers.viewer, 'acme', 'secret', {}))
    expect(boxes.update(callers.contributor, 'acme', 'secret', { private: false }).private).toBe(false)
  })
})

describe('deleting a box', () => {
  it('needs an admin, returns it whole, and leaves nothing of it', async () => {
    const { boxes, addBox, addReleased, callers, db } = await catalogWorld()
    addBox()
    await addReleased()
    refusal('forbidden', () => boxes.remove(callers.contributor, 'acme', 'tiny'))
    expect(boxes.remove(callers.admin, 'acme', 'tiny').gone).toMatchObject({
      name: 'tiny',
      versions: [{ number: '1.0.0' }]
    })
    refusal('missing', () => boxes.read(operator, 'acme', 'tiny'))
    for (const table of ['boxes', 'versions', 'images', 'uploads', 'listings'])
      expect(db.prepare(`SELECT count(*) FROM ${table}`).pluck().get(), table).toBe(0)
  })
})

describe('reading a box', () => {
  it('finds it without regard to case and answers as it was written', async () => {
    const { boxes, addBox } = await catalogWorld()
    addBox('Tiny')
    expect(boxes.read(someoneUnknown, 'ACME', 'tiny')).toMatchObject({ organization: 'acme', name: 'Tiny' })
  })

  it('shows private boxes to members alone', async () => {
    const { boxes, addBox, callers } = await catalogWorld()
    addBox('tiny', true)
    refusal('missing', () => boxes.read(someoneUnknown, 'acme', 'tiny'))
    refusal('missing', () => boxes.read(callers.stranger, 'acme', 'tiny'))
    refusal('missing', () => boxes.catalogue(callers.stranger, 'acme', 'tiny'))
    expect(boxes.read(callers.viewer, 'acme', 'tiny').name).toBe('tiny')
  })

  it('lists versions newest first: unreleased ones for members alone, revoked ones in no catalogue document', async () => {
    const { boxes, versions, addBox, addReleased, addVersion, callers } = await catalogWorld()
    addBox()
    for (const number of ['1.9.0', '1.10.0', '2.0.0-rc.1', '0.9.0']) await addReleased(number)
    versions.revoke(operator, 'acme', 'tiny', '0.9.0')
    addVersion('3.0.0')
    const numbers = (box: { versions: readonly { number: string }[] }) =>
      box.versions.map(({ number }) => number)
    expect(numbers(boxes.read(callers.viewer, 'acme', 'tiny'))).toEqual([
      '3.0.0',
      '2.0.0-rc.1',
      '1.10.0',
      '1.9.0',
      '0.9.0'
    ])
    expect(numbers(boxes.read(someoneUnknown, 'acme', 'tiny'))).toEqual([
      '2.0.0-rc.1',
      '1.10.0',
      '1.9.0',
      '0.9.0'
    ])
    expect(numbers(boxes.catalogue(callers.admin, 'acme', 'tiny'))).toEqual(['2.0.0-rc.1', '1.10.0', '1.9.0'])
  })
})

describe('the current version', () => {
  it.each([
    [['1.0.0', '2.0.0-rc.1'], [], '1.0.0'],
    [['1.9.0', '1.10.0', '1.2.0'], [], '1.10.0'],
    [['2.0.0-rc.1', '2.0.0-rc.2'], [], '2.0.0-rc.2'],
    [['1.0.0', '1.1.0'], ['1.1.0'], '1.0.0'],
    [['1.0.0', '2.0.0-rc.1'], ['1.0.0'], '2.0.0-rc.1'],
    [['1.0.0'], ['1.0.0'], undefined]
  ])('of released %j with %j revoked is %s', async (released, revoked, expected) => {
    const { boxes, versions, addBox, addReleased, addVersion } = await catalogWorld()
    addBox()
    for (const number of released) await addReleased(number)
    for (const number of revoked) versions.revoke(operator, 'acme', 'tiny', number)
    addVersion('9.0.0')
    const box = boxes.read(someoneUnknown, 'acme', 'tiny')
    expect(box.currentVersion?.number).toBe(expected)
    expect(boxes.byIds([box.id])[0]?.currentVersion).toEqual(box.currentVersion)
  })

  it('follows the deletion of a version', async () => {
    const { boxes, versions, addBox, addReleased } = await catalogWorld()
    addBox()
    await addReleased('1.0.0')
    await addReleased('1.1.0')
    versions.remove(operator, 'acme', 'tiny', '1.1.0')
    expect(boxes.read(operator, 'acme', 'tiny').currentVersion?.number).toBe('1.0.0')
    versions.remove(operator, 'acme', 'tiny', '1.0.0')
    expect(boxes.read(operator, 'acme', 'tiny').currentVersion).toBeNull()
  })
})

describe('the boxes of an organization', () => {
  it('come by name, in pages, and only those the caller may see', async () => {
    const { boxes, callers, organization, changes } = await catalogWorld()
    const names = Array.from(
      { length: 110 },
      (_, i) => `${i % 2 ? 'B' : 'b'}ox-${String(i).padStart(4, '0')}`
    )
    changes.make(() => {
      for (const [i, name] of names.toReversed().entries())
        boxes.create(operator, { organization: 'acme', name, private: i % 3 === 0 })
    })
    const pages = [...boxes.pagesOf(callers.viewer, organization().id)]
    expect(pages.length).toBe(3)
    expect(pages.flat().map(({ name }) => name)).toEqual(names)
    const visible = [...boxes.pagesOf(someoneUnknown, organization().id)].flat()
    expect(visible.length).toBe(73)
    expect(visible.every((box) => !box.private)).toBe(true)
  })

  it('are found by id in the order asked for, without those that are gone', async () => {
    const { boxes, addBox } = await catalogWorld()
    const [a, b] = [addBox('a'), addBox('b')]
    expect(boxes.byIds([b.id, 4711, a.id]).map(({ name }) => name)).toEqual(['b', 'a'])
  })
})
