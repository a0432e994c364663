import { execFileSync } from 'node:child_process'
import { open, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ArchiveWriter, entriesOf, readEntry } from '../../../../src-main/catalog/upkeep/archive.ts'
import { tempDir } from '../../../support/temp.ts'

const contents: Readonly<Record<string, string>> = {
  first: 'one',
  empty: '',
  'folder/exactly-a-block': 'x'.repeat(512),
  long: 'y'.repeat(3_000_001)
}

async function written(): Promise<string> {
  const file = join(tempDir(), 'archive.tar')
  const handle = await open(file, 'w')
  const archive = new ArchiveWriter(handle, Date.UTC(2026, 0, 31))
  for (const [name, content] of Object.entries(contents))
    await archive.add(name, content.length, async (target) => void target.write(content))
  await archive.finish()
  await handle.close()
  return file
}

async function opened(file: string) {
  const handle = await open(file, 'r')
  onTestFinished(() => handle.close())
  return handle
}

async function namesIn(file: string): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of entriesOf(await opened(file))) names.push(name)
  return names
}

describe('an archive', () => {
  it('gives back what was put in', async () => {
    const handle = await opened(await written())
    const read: Record<string, string> = {}
    for await (const entry of entriesOf(handle)) read[entry.name] = await text(readEntry(handle, entry))
    expect(read).toEqual(contents)
  })

  it('can be read by any tar', async () => {
    const file = await written()
    expect(execFileSync('tar', ['tf', file], { encoding: 'utf8' }).trimEnd().split('\n')).toEqual(
      Object.keys(contents)
    )
    expect(execFileSync('tar', ['xOf', file, 'first'], { encoding: 'utf8' })).toBe('one')
  })

  it('refuses more or fewer bytes than were announced', async () => {
    const handle = await open(join(tempDir(), 'archive.tar'), 'w')
    onTestFinished(() => handle.close())
    const archive = new ArchiveWriter(handle, 0)
    const add = (bytes: string) => archive.add('name', 5, async (target) => void target.write(bytes))
    await expect(add('1234')).rejects.toThrow('shorter than 5')
    await expect(add('123456')).rejects.toThrow('longer than 5')
  })

  it('keeps sizes above eight gigabytes', async () => {
    const file = join(tempDir(), 'archive.tar')
    const handle = await open(file, 'w')
    const archive = new ArchiveWriter(handle, 0)
    await archive.add('huge', 9_000_000_000, () => Promise.reject(new Error('enough'))).catch(() => {})
    await handle.truncate(512 + 9_000_000_000)
    await handle.close()
    expect(execFileSync('tar', ['tvf', file], { encoding: 'utf8' })).toContain('9000000000')
    const entries = entriesOf(await opened(file))
    expect((await entries.next()).value).toMatchObject({ size: 9_000_000_000 })
  })

  it.each([1, 511, 512, 700, 1536, 3_000_000])(
    'cut off %i bytes before its end is refused',
    async (bytes) => {
      const file = await written()
      await truncate(file, (await readFile(file)).length - 1024 - bytes)
      await expect(namesIn(file)).rejects.toThrow('cut off')
    }
  )

  it.each([
    ['a changed name', 3, 'x'],
    ['a changed size', 130, '7'],
    ['no mark of its kind', 257, 'other']
  ])('with %s is refused', async (_, at, bytes) => {
    const file = await written()
    const content = await readFile(file)
    content.write(bytes, at)
    await writeFile(file, content)
    await expect(namesIn(file)).rejects.toThrow('it is damaged, or another program made it')
  })

  it.each([
    ['a symbolic link', ['-s', '/etc/passwd', 'entry']],
    ['a hard link', ['first', 'entry']]
  ])('with %s in it is refused', async (_, args) => {
    const dir = tempDir()
    await writeFile(join(dir, 'first'), '')
    execFileSync('ln', args, { cwd: dir })
    execFileSync('tar', ['--format=ustar', '-cf', 'archive.tar', 'first', 'entry'], { cwd: dir })
    await expect(namesIn(join(dir, 'archive.tar'))).rejects.toThrow('Nothing was changed')
  })

  it.each(['pax', 'gnu'])('with long names as %s writes them is refused', async (format) => {
    const dir = tempDir()
    const name = 'n'.repeat(180)
    await writeFile(join(dir, name), '')
    execFileSync('tar', [`--format=${format}`, '-cf', 'archive.tar', name], { cwd: dir })
    await expect(namesIn(join(dir, 'archive.tar'))).rejects.toThrow('Nothing was changed')
  })
})
