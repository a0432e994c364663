import { closeSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Ingest } from '../../../src-main/blobs/ingest.ts'
import type { ChecksumType } from '../../../src-main/domain/model.ts'
import { tempDir } from '../../support/temp.ts'

function openFile(content = 'hello'): number {
  const path = join(tempDir(), 'file')
  writeFileSync(path, content)
  const fd = openSync(path, 'r+')
  onTestFinished(() => closeSync(fd))
  return fd
}

function start(): Ingest {
  const ingest = new Ingest()
  onTestFinished(() => ingest.close())
  return ingest
}

/** No digest has this name: asked for it, the thread dies as it would of any fault of ours. */
const deadly = ['crc32' as ChecksumType]

describe('the ingest thread', () => {
  it('is started again after a crash, in which the jobs it had fail', async () => {
    const ingest = start()
    const body = new Readable({ read() {} })
    const stream = ingest.stream(body, openFile(), { checksums: [] })
    const crashed = ingest.file(openFile(), null, { checksums: deadly })
    await expect(crashed).rejects.toThrowError(/crc32|Digest method/)
    body.push('x')
    await expect(stream).rejects.toThrowError()
    const digest = await ingest.file(openFile(), null, { checksums: ['md5'] })
    expect(digest).toMatchObject({ size: 5, checksums: { md5: '5d41402abc4b2a76b9719d911017c592' } })
  })

  it.each([
    ['read', (ingest: Ingest) => ingest.file(9999, null, { checksums: [] })],
    ['written', (ingest: Ingest) => ingest.file(openFile(), 9999, { checksums: [] })],
    [
      'written to by a stream',
      (ingest: Ingest) => ingest.stream(Readable.from(['x']), 9999, { checksums: [] })
    ]
  ])('tells when a file cannot be %s', async (_, work) => {
    await expect(work(start())).rejects.toMatchObject({ code: 'EBADF' })
  })

  it('tells so in the middle of a stream, not at its end', async () => {
    const endless = Readable.from(
      (function* () {
        for (;;) yield Buffer.alloc(100_000)
      })()
    )
    await expect(start().stream(endless, 9999, { checksums: [] })).rejects.toMatchObject({ code: 'EBADF' })
  })
})
