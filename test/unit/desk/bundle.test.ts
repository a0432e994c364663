import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { contentSecurityPolicy, loadBundle } from '../../../src-main/desk/bundle.ts'
import { refusal } from '../../support/catalog.ts'
import { tempDir } from '../../support/temp.ts'

function built(): string {
  const folder = tempDir()
  mkdirSync(join(folder, 'assets', 'deep'), { recursive: true })
  writeFileSync(join(folder, 'index.html'), 'page')
  writeFileSync(join(folder, 'icon.svg'), '<svg/>')
  writeFileSync(join(folder, 'assets', 'font-1.woff2'), 'font')
  writeFileSync(join(folder, 'assets', 'deep', 'a.css'), 'css')
  writeFileSync(join(folder, 'assets', 'a.js.map'), 'sources')
  writeFileSync(join(folder, 'passwords.txt'), 'secret')
  return folder
}

describe('the bundle', () => {
  it.each([
    ['/', 'text/html; charset=utf-8', 'page', false],
    ['/index.html', 'text/html; charset=utf-8', 'page', false],
    ['/icon.svg', 'image/svg+xml', '<svg/>', false],
    ['/assets/font-1.woff2', 'font/woff2', 'font', true],
    ['/assets/deep/a.css', 'text/css; charset=utf-8', 'css', true]
  ])('has %s', (path, type, text, immutable) => {
    const file = loadBundle(built()).get(path)
    expect({ ...file, body: file?.body.toString() }).toEqual({ type, body: text, immutable })
  })

  it.each([
    '',
    'index.html',
    '/assets',
    '/assets/',
    '/../index.html',
    '/assets/a.js.map',
    '/passwords.txt',
    '/INDEX.html'
  ])('has nothing at %j', (path) => expect(loadBundle(built()).get(path)).toBeNull())

  it('has what was there when it was read, and nothing since', () => {
    const folder = built()
    const bundle = loadBundle(folder)
    writeFileSync(join(folder, 'index.html'), 'changed')
    writeFileSync(join(folder, 'later.js'), 'later')
    expect(bundle.get('/')?.body.toString()).toBe('page')
    expect(bundle.get('/later.js')).toBeNull()
  })

  it('follows no link out of its folder', () => {
    const folder = built()
    const outside = tempDir()
    writeFileSync(join(outside, 'x.js'), 'outside')
    symlinkSync(join(outside, 'x.js'), join(folder, 'x.js'))
    symlinkSync(outside, join(folder, 'out'))
    const bundle = loadBundle(folder)
    expect([bundle.get('/x.js'), bundle.get('/out/x.js')]).toEqual([null, null])
  })

  it('says so when there is none', () => {
    for (const folder of [tempDir(), join(tempDir(), 'nowhere')])
      expect(refusal('unavailable', () => loadBundle(folder)).join()).toContain(folder)
  })
})

it('the policy allows nothing unsafe, and no other origin', () => {
  expect(contentSecurityPolicy).toContain("default-src 'none'")
  expect(contentSecurityPolicy).not.toMatch(/unsafe|https?:|\*/)
})
