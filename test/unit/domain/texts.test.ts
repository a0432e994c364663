import { describe, expect, it } from 'vitest'
import { Problem } from '../../../src-main/domain/problem.ts'
import { architectureFault } from '../../../src-main/domain/architecture.ts'
import { imageUrlFault } from '../../../src-main/domain/image-url.ts'
import { descriptionFault, refuseFaults, shortDescriptionFault } from '../../../src-main/domain/texts.ts'

describe('texts of boxes', () => {
  it('a short description has at most 255 characters, however they are written', () => {
    expect(shortDescriptionFault('😀'.repeat(255))).toBeNull()
    expect(shortDescriptionFault('x'.repeat(256))).toMatch(/256 characters long; 255 is the most/)
  })

  it('a description has an end', () => {
    expect(descriptionFault('x'.repeat(262_144))).toBeNull()
    expect(descriptionFault('x'.repeat(262_145))).toMatch(/262145 characters long/)
  })
})

describe('architectures', () => {
  it.each(['amd64', 's390x', 'unknown', 'riscv64', 'x86_64', 'a'.repeat(32)])('%s is one', (name) =>
    expect(architectureFault(name)).toBeNull()
  )
  it.each(['', 'AMD64', 'a-b', 'a b', 'a/b', 'a'.repeat(33)])('%j is none', (name) =>
    expect(architectureFault(name)).toMatch(/must be one of amd64, /)
  )
})

describe('addresses of images', () => {
  it.each(['http://a/x.box', 'https://user@host:1/x?y=z', 'HTTP://A/b'])('%s is one', (url) =>
    expect(imageUrlFault(url)).toBeNull()
  )
  it.each([
    'ftp://a/x',
    '/x.box',
    'a/x.box',
    'javascript:alert(1)',
    'http:',
    'http://',
    'http:/a',
    'http://a b/',
    'file:///etc/passwd',
    ' http://a/',
    'http://a/\u001b[31m',
    'http://a/\u202egpj',
    'http://a/\ud800'
  ])('%j is none', (url) => expect(imageUrlFault(url)).toMatch(/must be a whole address/))
})

describe('refuseFaults', () => {
  it('says everything that is wrong at once', () => {
    const refused = (): void => refuseFaults([null, 'One.', 'Two.'])
    expect(refused).toThrow(Problem)
    expect(refused).toThrow('One. Two.')
    expect(() => refuseFaults([null])).not.toThrow()
  })
})
