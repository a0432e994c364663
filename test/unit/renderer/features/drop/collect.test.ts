import { describe, expect, it } from 'vitest'
import { collect, pathsOf, type Thing } from '../../../../../src-renderer/features/drop/collect.ts'

const file = (name: string): File => new File(['x'], name)
const fileEntry = (name: string) => ({
  name,
  isFile: true,
  isDirectory: false,
  file: (resolve: (file: File) => void) => resolve(file(name))
})
/** Listed two at a time, as browsers list a hundred. */
const folder = (name: string, children: readonly object[]) => ({
  name,
  isFile: false,
  isDirectory: true,
  createReader() {
    let at = 0
    return {
      readEntries(resolve: (entries: readonly object[]) => void) {
        resolve(children.slice(at, (at += 2)))
      }
    }
  }
})
const unreadable = {
  name: 'locked',
  isFile: false,
  isDirectory: true,
  createReader: () => ({
    readEntries: (_: unknown, reject: (error: Error) => void) => reject(new Error('not allowed'))
  })
}
const thing = (entry: { name: string }): Thing => ({
  file: file(entry.name),
  entry: entry as unknown as FileSystemEntry
})
const deep = (levels: number): { name: string } =>
  levels === 0 ? fileEntry('deep.box') : folder('level', [deep(levels - 1)])

describe('what is taken of a drop', () => {
  it('is every box file, in folders and folders in them too', async () => {
    const lab = folder('lab', [
      fileEntry('one.box'),
      fileEntry('readme.txt'),
      folder('deeper', [fileEntry('TWO.BOX')]),
      fileEntry('three.box')
    ])
    const { files, refused } = await collect([thing(fileEntry('zero.box')), thing(lab)])
    expect(files.map(({ name }) => name)).toEqual(['zero.box', 'one.box', 'TWO.BOX', 'three.box'])
    expect(refused).toEqual([])
  })

  it.each([
    { what: thing(fileEntry('notes.txt')), says: 'notes.txt does not end in .box' },
    { what: thing(folder('empty', [])), says: 'There is no file that ends in .box in empty.' },
    {
      what: thing(folder('texts', [fileEntry('a.txt')])),
      says: 'There is no file that ends in .box in texts.'
    },
    { what: thing(unreadable), says: 'locked could not be read: not allowed' },
    { what: thing(deep(40)), says: 'There is no file that ends in .box in level.' }
  ])('leaves out, and says: $says', async ({ what, says }) => {
    const { files, refused } = await collect([what])
    expect(files).toEqual([])
    expect(refused[0]?.sentences.join(' ')).toContain(says)
  })

  it('ends at a thousand files, and says so', async () => {
    const lab = folder(
      'lab',
      Array.from({ length: 1_200 }, (_, index) => fileEntry(`${index}.box`))
    )
    const { files, refused } = await collect([thing(lab)])
    expect(files).toHaveLength(1_000)
    expect(refused[0]?.sentences.join(' ')).toContain('At most 1000 files')
  })
})

it('where files have paths, folders are handed on whole and files by their names', () => {
  const things = [
    thing(fileEntry('a.box')),
    thing(fileEntry('b.txt')),
    thing(folder('lab.d', [])),
    thing(fileEntry('nowhere.box'))
  ]
  const pathOf = ({ name }: File): string => (name === 'nowhere.box' ? '' : `/boxes/${name}`)
  const { paths, refused } = pathsOf(things, pathOf)
  expect(paths).toEqual(['/boxes/a.box', '/boxes/lab.d'])
  expect(refused.map(({ origin }) => origin)).toEqual(['b.txt', 'nowhere.box'])
})
