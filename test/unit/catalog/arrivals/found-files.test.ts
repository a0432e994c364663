import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { findFiles } from '../../../../src-main/catalog/arrivals/found-files.ts'
import { tempDir } from '../../../support/temp.ts'

const put = (path: string): string => {
  writeFileSync(path, 'x')
  return path
}
const namesIn = async (...paths: string[]) => (await findFiles(paths)).files.map(({ fileName }) => fileName)

describe('the files a person means', () => {
  it.each<[string, (path: string) => string]>([
    ['a path', (path) => path],
    ['a path in quotes', (path) => `"${path}"`],
    ['a path between spaces', (path) => `  ${path}\n`],
    ['an address of a file', (path) => pathToFileURL(path).href]
  ])('by %s', async (_, said) => {
    const path = put(join(tempDir(), 'a b.txt'))
    expect(await findFiles([said(path)])).toEqual({
      files: [{ path, fileName: 'a b.txt', size: 1 }],
      refused: []
    })
  })

  it('by a path from their own folder', async () => {
    const { refused } = await findFiles(['~/no-such-box-file.box'])
    expect(refused).toMatchObject([{ origin: join(homedir(), 'no-such-box-file.box') }])
  })

  it('by the very path of one that is there, however odd', async () => {
    const path = put(join(tempDir(), ' a.box '))
    expect(await namesIn(path)).toEqual([' a.box '])
  })

  it.each(['base.box', './base.box', '.', ' ', '""', 'http://elsewhere.example/base.box'])(
    'are none that depend on where the program was started: %j',
    async (said) => {
      const { files, refused } = await findFiles([said])
      expect(files).toEqual([])
      expect(refused).toEqual([
        { origin: said, sentences: [expect.stringMatching(/does not say in which folder/)] }
      ])
    }
  )

  it('are told of in few words, however long the path', async () => {
    const [refused] = (await findFiles([`/${'x'.repeat(30_000)}`])).refused
    expect(refused?.sentences).toEqual(['The path of the file is not a valid one.'])
  })

  it('are each told once', async () => {
    const dir = tempDir()
    put(join(dir, 'a.box'))
    expect(await namesIn(dir, join(dir, 'a.box'), dir)).toEqual(['a.box'])
  })

  it('are those behind links to files, not to folders', async () => {
    const dir = tempDir()
    symlinkSync(put(join(tempDir(), 'elsewhere')), join(dir, 'linked.box'))
    symlinkSync(dir, join(dir, 'round'))
    expect(await namesIn(dir)).toEqual(['linked.box'])
  })

  it('are five hundred of a folder, with a word about the others', async () => {
    const dir = tempDir()
    for (let i = 0; i < 501; i++) put(join(dir, `${i}.box`))
    const { files, refused } = await findFiles([dir])
    expect(files).toHaveLength(500)
    expect(refused).toEqual([
      { origin: dir, sentences: [expect.stringMatching(/500 box files of it were taken/)] }
    ])
  })

  it('are not looked for at any depth', async () => {
    const dir = tempDir()
    let at = dir
    for (let depth = 1; depth <= 9; depth++) {
      put(join(at, `${depth}.box`))
      at = join(at, 'deeper')
      mkdirSync(at)
    }
    expect(await namesIn(dir)).toEqual(expect.arrayContaining(['1.box', '8.box']))
    expect(await namesIn(dir)).not.toContain('9.box')
  })

  it.runIf(process.getuid?.() !== 0)('are none of a folder that may not be read', async () => {
    const dir = join(tempDir(), 'closed')
    mkdirSync(dir)
    put(join(dir, 'a.box'))
    chmodSync(dir, 0)
    const { refused } = await findFiles([dir]).finally(() => chmodSync(dir, 0o700))
    expect(refused).toMatchObject([{ origin: dir }])
  })

  it.each(['a\0b', '/dev/null', '/dev/zero/x', 'x'.repeat(5000)])('are not %j', async (path) => {
    const { files, refused } = await findFiles([path])
    expect(files).toEqual([])
    expect(refused).toMatchObject([{ sentences: [expect.stringMatching(/[.]$/)] }])
  })
})
