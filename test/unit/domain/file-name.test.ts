import { describe, expect, it } from 'vitest'
import { boxNamedBy, shownFileName } from '../../../src-main/domain/file-name.ts'

describe('the box a file name speaks of', () => {
  it.each([
    ['base.box', 'base', null],
    ['base-1.2.0.box', 'base', '1.2.0'],
    ['base_v1.2.0.tar.gz', 'base', '1.2.0'],
    ['base-1.2.0-beta.1.box', 'base', '1.2.0-beta.1'],
    ['base-1.2.0-virtualbox.box', 'base', '1.2.0'],
    ['base-virtualbox-amd64-1.2.0.box', 'base', '1.2.0'],
    ['virtualbox.box', 'virtualbox', null],
    ['debian-12.box', 'debian-12', null],
    ['ubuntu-22.04.box', 'ubuntu-22.04', null],
    ['jammy-20240101.0.0.box', 'jammy', '20240101.0.0'],
    ['My box (2).box', 'My-box-2', null],
    ['Bäse.tgz', 'Base', null],
    ['..hidden.tar', 'hidden', null],
    ['1.2.3.box', '1.2.3', null],
    ['盒子.box', '', null],
    [`${'n'.repeat(200)}.box`, 'n'.repeat(128), null]
  ])('%s', (file, name, version) =>
    expect(boxNamedBy(file, ['amd64', 'virtualbox'])).toEqual({ name, version })
  )
})

describe('the name of a file, as it is shown', () => {
  it.each([
    ['base-1.2.0.box', 'base-1.2.0.box'],
    ['Bäse 盒子 👩‍💻.box', 'Bäse 盒子 👩‍💻.box'],
    ['harmless\u202Exob.exe', 'harmless�xob.exe'],
    ['\u2066a\u2069.box', '�a�.box'],
    ['base.box\n\nWas published.', 'base.box��Was published.'],
    ['a\u0000\u001b[31mb.box', 'a��[31mb.box'],
    ['a\u2028b.box', 'a�b.box'],
    ['\uD800.box', '�.box'],
    [`${'n'.repeat(1000)}.box`, `${'n'.repeat(254)}…`]
  ])('%j is %j', (name, shown) => expect(shownFileName(name)).toBe(shown))
})
