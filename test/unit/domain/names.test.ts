import { describe, expect, it } from 'vitest'
import { checkAccountName, nameFault, nameKey } from '../../../src-main/domain/names.ts'

describe('a name', () => {
  it.each(['a', '7', 'ubuntu-22.04', 'A_b.c-D', 'x'.repeat(128), 'boxes', '0..'])('may be %j', (name) => {
    expect(nameFault('The box name', name)).toBeNull()
  })

  it.each([
    ['', 'is missing'],
    ['x'.repeat(129), '129 characters long; 128 is the most'],
    ['-a', 'must begin with a letter or digit'],
    ['.', 'must begin with'],
    ['..', 'must begin with'],
    ['_x', 'must begin with'],
    ['a b', 'may hold only'],
    ['a/b', 'may hold only'],
    ['a\n', 'may hold only'],
    ['a\0', 'may hold only'],
    ['ä', 'may hold only'],
    ['a%2f', 'may hold only']
  ])('may not be %j', (name, why) => {
    expect(nameFault('The box name', name)).toContain(why)
    expect(nameFault('The box name', name)).toMatch(/^The box name/)
  })

  it.each(['api', 'API', 'Upload'])(
    'of an account may not hide what the server answers itself: %s',
    (name) => {
      expect(() => checkAccountName('The organization name', name)).toThrow('is reserved')
    }
  )

  it('is compared without regard to case', () => {
    expect(nameKey('Acme')).toBe(nameKey('aCME'))
  })
})
