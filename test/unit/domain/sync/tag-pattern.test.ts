import { describe, expect, it } from 'vitest'
import { tagPattern } from '../../../../src-main/domain/sync/tag-pattern.ts'

describe('a pattern of tags', () => {
  it.each<[string, string, boolean]>([
    ['acme/base', 'acme/base', true],
    ['Acme/Base', 'aCME/bASE', true],
    ['acme/base', 'acme/base2', false],
    ['acme/*', 'acme/anything', true],
    ['acme/*', 'acme2/anything', false],
    ['*/base-*', 'lab/base-1', true],
    ['*/base-*', 'lab/base-', true],
    ['*/base-*', 'lab/base', false],
    ['*/*', 'a/b', true],
    ['a*c/x', 'abc/x', true],
    ['a*c/x', 'ac/x', true],
    ['a*c/x', 'a/x', false],
    ['acme/aa*aa', 'acme/aaa', false],
    ['acme/aa*aa', 'acme/aaaa', true],
    ['acme/*b*b*', 'acme/ab', false],
    ['acme/*b*b*', 'acme/abab', true],
    ['acme/a.c', 'acme/abc', false],
    ['acme/**', 'acme/x', true]
  ])('%s on %s: %j', (pattern, tag, matches) => {
    const [organization = '', box = ''] = tag.split('/')
    expect(tagPattern(pattern).matches(organization, box)).toBe(matches)
  })

  it.each([
    '',
    'acme',
    'acme/',
    '/base',
    'a/b/c',
    'a b/c',
    'acme/ba(se',
    'acme/[a-z]',
    `acme/${'x'.repeat(200)}`
  ])('is refused with how it is written: %j', (pattern) => {
    expect(() => tagPattern(pattern)).toThrow(/written as ORGANIZATION\/BOX|cannot be one/)
  })

  it('tells the one organization it is about', () => {
    expect(tagPattern('acme/*').organization).toBe('acme')
    expect(tagPattern('ac*/*').organization).toBeNull()
  })

  it('is matched at once, however many stars it has', () => {
    const stars = tagPattern(`x/${'*a'.repeat(120)}`)
    expect(stars.matches('x', `${'a'.repeat(128)}b`)).toBe(false)
  })
})
