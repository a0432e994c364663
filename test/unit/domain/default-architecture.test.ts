import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultOf } from '../../../src-main/domain/default-architecture.ts'

const image = (id: number, isDefault = false) => ({ id, isDefault })

describe('the default architecture of a provider name', () => {
  it.each([
    ['is the first one, even if it did not ask', [image(1)], null, 1],
    ['stays when another comes', [image(1, true), image(2)], null, 1],
    ['moves to one that asks', [image(1, true), image(2)], 2, 2],
    ['goes to the oldest that remains', [image(3), image(5)], null, 3],
    ['is nobody among none', [], null, null]
  ])('%s', (_, images, wanted, expected) => expect(defaultOf(images, wanted)).toBe(expected))

  it('is always one of the images there are', () => {
    const images = fc.uniqueArray(fc.record({ id: fc.nat(9), isDefault: fc.boolean() }), {
      selector: ({ id }) => id,
      minLength: 1
    })
    fc.assert(
      fc.property(images, fc.option(fc.nat(9)), (there, wanted) => {
        expect(there.map(({ id }) => id)).toContain(defaultOf(there, wanted))
      })
    )
  })
})
