import type { FileHandle } from 'node:fs/promises'
import { Readable, Writable } from 'node:stream'
import { Problem } from '../../domain/problem.ts'

/** One file in an archive, and where its bytes begin. */
export interface ArchiveEntry {
  readonly name: string
  readonly size: number
  readonly start: number
}

/**
 * The container of a backup: plain tar, so that any tool can look into it. Only regular files with short names are
 * written, and nothing else is read: links, folders, long-name and extension records are refused, and so a stranger's
 * archive has no means to say anything else.
 */
const block = 512
const readSize = 1024 * 1024
/** What eleven octal digits hold; bigger sizes are written as a binary number, as GNU tar does. */
const octalLimit = 8 ** 11

export class ArchiveWriter {
  readonly #file: FileHandle
  readonly #time: number
  #position = 0

  constructor(file: FileHandle, time: number) {
    this.#file = file
    this.#time = time
  }

  /** Adds a file of exactly `size` bytes, which `fill` writes into the stream it is given; `observe` sees them pass. */
  async add(
    name: string,
    size: number,
    fill: (target: Writable) => Promise<void>,
    observe: (chunk: Buffer) => void = () => {}
  ): Promise<void> {
    await this.#write(header(name, size, this.#time))
    const end = this.#position + size
    const target = new Writable({
      highWaterMark: readSize,
      write: (chunk: Buffer, _encoding, done) => {
        if (this.#position + chunk.length > end)
          return done(new Error(`${name} is longer than ${size} bytes`))
        observe(chunk)
        this.#write(chunk).then(() => done(), done)
      }
    })
    const closed = new Promise<void>((resolve, reject) => {
      target.on('error', reject)
      target.on('finish', resolve)
    })
    await Promise.all([fill(target).then(() => target.end()), closed])
    if (this.#position !== end) throw new Error(`${name} is shorter than ${size} bytes`)
    await this.#write(Buffer.alloc(padding(size)))
  }

  /** Ends the archive and waits until all of it is on the disk. */
  async finish(): Promise<number> {
    await this.#write(Buffer.alloc(2 * block))
    await this.#file.sync()
    return this.#position
  }

  async #write(bytes: Buffer): Promise<void> {
    let written = 0
    while (written < bytes.length)
      written += (await this.#file.write(bytes, written, bytes.length - written, this.#position + written))
        .bytesWritten
    this.#position += bytes.length
  }
}

/** The files of an archive in their order. Reads headers only; ends with a Problem where it is cut off or no archive. */
export async function* entriesOf(file: FileHandle): AsyncGenerator<ArchiveEntry> {
  const { size: fileSize } = await file.stat()
  const bytes = Buffer.alloc(block)
  let position = 0
  for (;;) {
    const { bytesRead } = await file.read(bytes, 0, block, position)
    if (bytesRead < block) throw broken('it is cut off')
    if (bytes.every((byte) => byte === 0)) {
      if (position + 2 * block > fileSize) throw broken('it is cut off')
      return
    }
    const { name, size } = parseHeader(bytes)
    const start = position + block
    if (start + size > fileSize) throw broken('it is cut off')
    yield { name, size, start }
    position = start + size + padding(size)
  }
}

/** The bytes of one file. */
export function readEntry(file: FileHandle, { start, size }: ArchiveEntry): Readable {
  if (size === 0) return Readable.from([])
  return file.createReadStream({ start, end: start + size - 1, autoClose: false, highWaterMark: readSize })
}

export const broken = (why: string): Problem =>
  new Problem('invalid', `The file is not a backup that can be restored: ${why}. Nothing was changed.`)

const padding = (size: number): number => (block - (size % block)) % block

function header(name: string, size: number, time: number): Buffer {
  const bytes = Buffer.alloc(block)
  if (Buffer.byteLength(name) > 99) throw new Error(`too long a name for an archive: ${name}`)
  bytes.write(name, 0)
  bytes.write('0000600\0', 100)
  bytes.write('0000000\0', 108)
  bytes.write('0000000\0', 116)
  if (size < octalLimit) bytes.write(`${octal(size, 11)} `, 124)
  else {
    bytes[124] = 0x80
    bytes.writeBigUInt64BE(BigInt(size), 128)
  }
  bytes.write(`${octal(Math.floor(time / 1000), 11)} `, 136)
  bytes.write('0', 156)
  bytes.write('ustar\x0000', 257)
  bytes.write(`${octal(checksumOf(bytes), 6)}\0 `, 148)
  return bytes
}

function parseHeader(bytes: Buffer): { name: string; size: number } {
  const checksum = /^([0-7]{6})\0 $/.exec(bytes.toString('latin1', 148, 156))?.[1]
  if (checksum === undefined || parseInt(checksum, 8) !== checksumOf(bytes) || !isUstar(bytes))
    throw broken('it is damaged, or another program made it')
  if (bytes.toString('latin1', 156, 157) !== '0') throw broken('it holds something other than plain files')
  const name = bytes.toString('latin1', 0, 100).replace(/\0.*$/s, '')
  return { name, size: sizeOf(bytes) }
}

function sizeOf(bytes: Buffer): number {
  if (bytes[124] === 0x80) {
    const size = bytes.readBigUInt64BE(128)
    if (size <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(size)
  } else {
    const digits = /^([0-7]{11}) $/.exec(bytes.toString('latin1', 124, 136))?.[1]
    if (digits !== undefined) return parseInt(digits, 8)
  }
  throw broken('it is damaged, or another program made it')
}

const isUstar = (bytes: Buffer): boolean => bytes.toString('latin1', 257, 265) === 'ustar\x0000'

/** The sum of all bytes, with the field of the sum itself taken as spaces. */
function checksumOf(bytes: Buffer): number {
  let sum = 8 * 0x20
  for (const [i, byte] of bytes.entries()) if (i < 148 || i >= 156) sum += byte
  return sum
}

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0')
