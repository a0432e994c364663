import { describe, expect, it } from 'vitest'
import {
  strongest,
  declare,
  mismatch,
  nothingDeclared,
  typeNeeded,
  type Declared
} from '../../../src-main/domain/checksum.ts'

const md5 = 'A'.repeat(32)
const sha256 = 'b'.repeat(64)
const declaredMd5: Declared = { type: 'md5', expected: md5.toLowerCase() }
const anyMd5: Declared = { type: 'md5', expected: null }

describe('what is declared of a checksum', () => {
  it.each([
    ['nothing is given', anyMd5, {}, anyMd5],
    ['nulls are given', declaredMd5, { checksum: null, checksumType: null }, declaredMd5],
    ['both are given, in any case', nothingDeclared, { checksum: md5, checksumType: 'MD5' }, declaredMd5],
    ['a checksum alone is given', anyMd5, { checksum: md5 }, declaredMd5],
    [
      'a checksum alone is given and no type ever was',
      nothingDeclared,
      { checksum: sha256 },
      { type: 'sha256', expected: sha256 }
    ],
    ['a type alone is given', nothingDeclared, { checksumType: 'sha1' }, { type: 'sha1', expected: null }],
    ['another type alone is given', anyMd5, { checksumType: 'sha1' }, { type: 'sha1', expected: null }],
    ['the same type is given again', declaredMd5, { checksumType: 'md5' }, declaredMd5],
    ['"" takes the checksum away', declaredMd5, { checksum: '' }, anyMd5],
    ['"" and "none" take both away', declaredMd5, { checksum: '', checksumType: 'none' }, nothingDeclared],
    ['"" and "" take both away', declaredMd5, { checksum: '', checksumType: '' }, nothingDeclared],
    ['"none" alone takes both away', declaredMd5, { checksumType: 'None' }, nothingDeclared]
  ])('when %s', (_, current, input, expected) => expect(declare(current, input)).toEqual(expected))

  it.each([
    [
      'an unknown type',
      nothingDeclared,
      { checksum: md5, checksumType: 'crc32' },
      /"crc32" is not known; .* md5, sha1/
    ],
    [
      'a checksum without the right length',
      nothingDeclared,
      { checksum: md5, checksumType: 'sha1' },
      /has 40 hexadecimal digits/
    ],
    [
      'a checksum that is no number',
      nothingDeclared,
      { checksum: 'z'.repeat(32), checksumType: 'md5' },
      /is not a md5 one/
    ],
    ['a checksum of type none', nothingDeclared, { checksum: md5, checksumType: 'none' }, /needs its type/],
    [
      'another type than that of a pending checksum',
      declaredMd5,
      { checksumType: 'sha1' },
      /together with its type/
    ]
  ])('refuses %s', (_, current, input, sentence) =>
    expect(declare(current, input)).toEqual({ faults: [expect.stringMatching(sentence)] })
  )
})

describe('bytes and what was declared of them', () => {
  it.each([
    ['agree when nothing was declared', nothingDeclared, { sha256 }, null],
    ['agree when only a type was declared', anyMd5, { md5: 'c'.repeat(32) }, null],
    ['agree when they are the ones', declaredMd5, { md5: md5.toLowerCase() }, null],
    [
      'differ when they are others',
      declaredMd5,
      { md5: 'c'.repeat(32) },
      expect.stringMatching(/md5 checksum .* is c+, but a+ was declared/)
    ]
  ])('%s', (_, declared, checksums, expected) => expect(mismatch(declared, checksums)).toEqual(expected))

  it('are digested in the declared type, else as sha256', () => {
    expect(typeNeeded(anyMd5)).toBe('md5')
    expect(typeNeeded(nothingDeclared)).toBe('sha256')
  })
})

describe('several checksums of the same bytes', () => {
  it.each([
    [{}, null],
    [{ md5: 'a' }, { type: 'md5', value: 'a' }],
    [
      { md5: 'a', sha1: 'b' },
      { type: 'sha1', value: 'b' }
    ],
    [
      { sha512: 'e', sha384: 'd', md5: 'a' },
      { type: 'sha512', value: 'e' }
    ],
    [
      { sha512: 'e', sha256: 'c', sha1: 'b' },
      { type: 'sha256', value: 'c' }
    ]
  ])('%j are gone by one', (checksums, one) => {
    expect(strongest(checksums)).toEqual(one)
  })
})
