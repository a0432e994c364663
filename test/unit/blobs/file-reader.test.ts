import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { openFile } from '../../../src-main/blobs/file-reader.ts'
import { tempDir } from '../../support/temp.ts'

const bytes = randomBytes(3_300_001)
const file = (): string => {
  const path = join(tempDir(), 'x')
  writeFileSync(path, bytes)
  return path
}

describe('a file as a stream', () => {
  it.each([0, 524_288, 3_300_000, 3_300_001, 9_999_999])('comes whole from byte %i', async (from) => {
    expect((await buffer(await openFile(file(), from))).equals(bytes.subarray(from))).toBe(true)
  })

  it('is read into what was given back, once, and into nothing else', async () => {
    const reader = await openFile(file(), 0)
    const copies: Buffer[] = []
    const memory = new Set<ArrayBufferLike>()
    for await (const piece of reader as AsyncIterable<Buffer>) {
      copies.push(Buffer.from(piece))
      memory.add(piece.buffer)
      reader.giveBack(piece.subarray(3))
      reader.giveBack(piece)
      reader.giveBack(Buffer.from('not of it'))
    }
    expect(Buffer.concat(copies).equals(bytes)).toBe(true)
    expect(memory.size).toBeLessThan(copies.length)
  })

  it('leaves what was kept as it is', async () => {
    const pieces: Buffer[] = []
    for await (const piece of (await openFile(file(), 0)) as AsyncIterable<Buffer>) pieces.push(piece)
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true)
  })

  it('can be left in the middle', async () => {
    const reader = await openFile(file(), 0)
    for await (const _ of reader) break
    expect(reader.destroyed).toBe(true)
    await expect(openFile(join(tempDir(), 'none'), 0)).rejects.toMatchObject({ kind: 'missing' })
  })
})
