import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Lending } from '../../../src-main/blobs/lending.ts'
import { BlobPaths } from '../../../src-main/blobs/paths.ts'
import { tempDir } from '../../support/temp.ts'

function storeWith(bytes: string) {
  const dataDir = tempDir()
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const blob = new BlobPaths(dataDir).blob(sha256)
  mkdirSync(dirname(blob), { recursive: true })
  writeFileSync(blob, bytes)
  return { dataDir, sha256, blob, lending: new Lending(dataDir) }
}

describe('a blob that is lent', () => {
  it('has the name people know it by, and the same bytes', async () => {
    const { lending, sha256 } = storeWith('box')
    const file = await lending.lend(sha256, 'acme-base-1.0.0.box')
    expect([basename(file), readFileSync(file, 'utf8')]).toEqual(['acme-base-1.0.0.box', 'box'])
  })

  it('is the same file when asked for again, or twice at once', async () => {
    const { lending, sha256 } = storeWith('box')
    const files = await Promise.all([lending.lend(sha256, 'a.box'), lending.lend(sha256, 'a.box')])
    expect(new Set([...files, await lending.lend(sha256, 'a.box')]).size).toBe(1)
  })

  it('has a name that file systems take, and is a box file still, however long all its names are', async () => {
    const { lending, sha256 } = storeWith('box')
    const name = basename(await lending.lend(sha256, `${'long-name-'.repeat(65)}.box`))
    expect(name).toMatch(/^long-name-.*\.box$/)
    expect(name.length).toBeLessThan(256)
  })

  it.each(['../../x.box', '/etc/passwd', '..', '.hidden', 'a/b\\c.box', 'a\u0000b.box'])(
    'stays in its own folder whatever it is called: %s',
    async (name) => {
      const { lending, sha256, dataDir } = storeWith('box')
      const file = await lending.lend(sha256, name)
      expect(dirname(file)).toBe(join(dataDir, 'lent', sha256))
      expect(basename(file)).toMatch(/^[A-Za-z0-9_-][A-Za-z0-9._-]*$/)
    }
  )

  it('is taken back without the blob being touched', async () => {
    const { lending, sha256, blob, dataDir } = storeWith('box')
    await lending.lend(sha256, 'a.box')
    await lending.clear()
    expect(readdirSync(dataDir)).not.toContain('lent')
    expect(existsSync(blob)).toBe(true)
  })

  it('is refused when its bytes are gone', async () => {
    const { lending } = storeWith('box')
    await expect(lending.lend('0'.repeat(64), 'a.box')).rejects.toMatchObject({ kind: 'missing' })
    await expect(lending.find('0'.repeat(64))).rejects.toMatchObject({ kind: 'missing' })
  })
})
