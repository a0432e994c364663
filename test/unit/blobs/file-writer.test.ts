import { randomBytes } from 'node:crypto'
import { closeSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { writeBuffers } from '../../../src-main/blobs/buffer-pool.ts'
import { DirectFile } from '../../../src-main/blobs/direct-file.ts'
import { FileWriter } from '../../../src-main/blobs/file-writer.ts'
import { tempDir } from '../../support/temp.ts'

const mebibyte = 1024 * 1024
const bytes = randomBytes(3 * mebibyte + 4097)

function openAt(path: string): number {
  const fd = openSync(path, 'r+')
  onTestFinished(() => closeSync(fd))
  return fd
}

function openNew(content: Uint8Array | string = ''): { path: string; fd: number } {
  const path = join(tempDir(), 'file')
  writeFileSync(path, content)
  return { path, fd: openAt(path) }
}

describe('what is written to a file in large pieces', () => {
  it.each([
    ['in chunks of no particular size', 0, 99_991],
    ['in pages', 0, 4096],
    ['at once', 0, bytes.length],
    ['after what is there already', 5, 99_991],
    ['after whole pages', 2 * mebibyte, mebibyte],
    ['after what ends just before a page does', mebibyte - 1, 4096]
  ])('arrives whole %s', async (_, from, size) => {
    const { path, fd } = openNew(bytes.subarray(0, from))
    const writer = new FileWriter(fd, from)
    const chunk = Buffer.alloc(size)
    for (let at = from; at < bytes.length; at += size) {
      const length = bytes.copy(chunk, 0, at, at + size)
      await writer.write([chunk.subarray(0, length / 2), chunk.subarray(length / 2, length)])
      chunk.fill(0) // it may be reused now
    }
    await writer.close()
    expect(readFileSync(path).equals(bytes)).toBe(true)
  })

  it.each([
    ['from its beginning', 0, 0],
    ['after what is there already', 5, 0],
    ['after whole pieces', mebibyte, 0],
    ['between others', 0, 4096]
  ])('arrives whole in pieces of memory that can be written as they are, %s', async (_, from, between) => {
    const { path, fd } = openNew(bytes.subarray(0, from))
    const writer = new FileWriter(fd, from)
    for (let at = from; at < bytes.length;) {
      const piece = writeBuffers.take()
      const length = bytes.copy(piece, 0, at)
      const other = bytes.subarray(at + length, at + length + between)
      await writer.write([length < piece.length ? piece.subarray(0, length) : piece, other])
      piece.fill(0)
      at += length + other.length
    }
    await writer.close()
    expect(readFileSync(path).equals(bytes)).toBe(true)
  })

  it('keeps its order when nobody waits', async () => {
    const { path, fd } = openNew()
    const writer = new FileWriter(fd)
    for (let at = 0; at < bytes.length; at += 70_000) void writer.write([bytes.subarray(at, at + 70_000)])
    await writer.close()
    expect(readFileSync(path).equals(bytes)).toBe(true)
  })

  it('shares its memory with nothing that is written at the same time', async () => {
    const files = Array.from({ length: 6 }, (_, turn) => ({
      ...openNew(),
      content: randomBytes(2_500_000 + turn)
    }))
    const write = async ({ fd, content }: (typeof files)[number]): Promise<void> => {
      const writer = new FileWriter(fd)
      for (let at = 0; at < content.length; at += 300_000)
        await writer.write([content.subarray(at, at + 300_000)])
      await writer.close()
    }
    for (let round = 0; round < 2; round++) await Promise.all(files.map(write))
    for (const { path, content } of files) expect(readFileSync(path).equals(content)).toBe(true)
  })

  it('is there soon, also when it comes slowly', async () => {
    const { path, fd } = openNew()
    const writer = new FileWriter(fd)
    for (const end of [70_000, 1_500_000, 1_500_001]) {
      const start = statSync(path).size
      await writer.write([bytes.subarray(start, end)])
      await vi.waitFor(() => expect(statSync(path).size).toBe(end))
    }
    await writer.write([bytes.subarray(1_500_001)])
    await writer.close()
    expect(readFileSync(path).equals(bytes)).toBe(true)
  })

  it('is nothing when nothing comes', async () => {
    const { path, fd } = openNew()
    await new FileWriter(fd).close()
    expect(readFileSync(path)).toHaveLength(0)
  })

  it.runIf(process.platform === 'linux')('tells of a full disk before the end, and again at it', async () => {
    const writer = new FileWriter(openAt('/dev/full'))
    for (let turn = 0; turn < 4; turn++) await writer.write([Buffer.alloc(mebibyte)])
    expect(writer.failed).toBe(true)
    await expect(writer.close()).rejects.toMatchObject({ code: 'ENOSPC' })
  })
})

describe('a file that is written past the cache of the kernel', () => {
  it.each([
    ['where pages begin and end', 0],
    ['where they do not', 1]
  ])('takes all bytes %s, and more than are synced at once', async (_, from) => {
    const { path, fd } = openNew()
    const file = new DirectFile(fd)
    const piece = randomBytes(4 * mebibyte)
    for (let turn = 0; turn < 10; turn++) await file.write(piece, from + turn * piece.length)
    await file.close()
    const written = readFileSync(path).subarray(from)
    expect(written).toHaveLength(10 * piece.length)
    for (let at = 0; at < written.length; at += piece.length)
      expect(written.subarray(at, at + piece.length).equals(piece)).toBe(true)
  })
})
