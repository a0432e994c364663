import { open, type FileHandle } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { missing } from '../domain/problem.ts'
import { readBuffers } from './buffer-pool.ts'
import type { ByteRange, CopyOptions } from './driver.ts'
import { ifThere } from './durable.ts'
import { handTo, watchReader } from './reader.ts'

/** One being read into while the other is on its way out. */
const readAhead = 2

/** Writes a file, or a part of it, to `target`, reading the next piece while one is being written. */
export async function sendFile(
  path: string,
  target: Writable,
  range: ByteRange | undefined,
  { signal, beforeLast }: CopyOptions = {}
): Promise<void> {
  signal?.throwIfAborted()
  const file = await ifThere(open(path, 'r'))
  if (!file) throw missing()
  try {
    const end = range ? range.end + 1 : (await file.stat()).size
    await send(file, target, range?.start ?? 0, end, { signal, beforeLast })
  } finally {
    await file.close()
  }
}

async function send(
  file: FileHandle,
  target: Writable,
  start: number,
  end: number,
  { signal, beforeLast }: { signal: AbortSignal | undefined; beforeLast: (() => void) | undefined }
): Promise<void> {
  const reader = watchReader(target, signal)
  const written: Promise<void>[] = []
  const buffers = Array.from({ length: readAhead }, () => readBuffers.take())
  try {
    if (start >= end) beforeLast?.()
    for (let at = start, turn = 0; at < end; turn += 1) {
      const slot = turn % readAhead
      await reader.unlessGone(written[slot])
      const piece = (buffers[slot] as Buffer).subarray(0, Math.min(readBuffers.size, end - at))
      await reader.unlessGone(fill(file, piece, at))
      at += piece.length
      if (at >= end) beforeLast?.()
      written[slot] = handTo(target, piece)
      written[slot].catch(() => {}) // heard when its buffer is needed again
    }
    for (const one of written) await reader.unlessGone(one)
    // Not after a failure: what is still being written then must not be overwritten.
    readBuffers.giveBack(...buffers)
  } finally {
    reader.leave()
  }
}

async function fill(file: FileHandle, into: Buffer, position: number): Promise<void> {
  for (let filled = 0; filled < into.length;) {
    const { bytesRead } = await file.read(into, filled, into.length - filled, position + filled)
    if (bytesRead === 0) throw new Error(`a stored file ends ${into.length - filled} bytes early`)
    filled += bytesRead
  }
}
