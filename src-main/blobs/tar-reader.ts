/** One entry of a tar archive, as its header and the extended headers before it say. */
export interface TarEntry {
  readonly name: string
  readonly kind: 'file' | 'link' | 'other'
  readonly size: number
}

/** What the reader of an archive wants to hear. */
export interface TarListener {
  /** Answers how many bytes of the content to hand over at once in `content`; 0 passes over it. */
  entry(entry: TarEntry): number
  content(entry: TarEntry, bytes: Buffer): void
}

/** The archive is not what it should be; the message is a clause for people. */
export class TarDamage extends Error {}

const block = 512
/** Longer extended headers are passed over: none of the names looked for needs one. */
const longestExtension = 64 * 1024
/** A box holds a handful of files; an archive of more entries than these is not read to its end. */
const mostEntries = 100_000

type State = 'header' | 'sparse-map' | 'content' | 'end'

/**
 * Reads a tar archive (v7, ustar, pax, GNU) that is pushed in pieces of any size. Content nobody asked for is counted
 * and never touched, so that passing over gigabytes costs nothing; no more is ever held than what was asked for.
 */
export class TarReader {
  readonly #listener: TarListener
  #state: State = 'header'
  #entries = 0
  /** Bytes of this entry's content, and of its padding, that have not come yet. */
  #left = 0
  #padding = 0
  #collect: { into: Buffer; filled: number; done: (bytes: Buffer) => void } | null
  #block = Buffer.alloc(block)
  #inBlock = 0
  #extended: { name?: string; size?: number } = {}
  #sparse: Buffer | null = null

  constructor(listener: TarListener) {
    this.#listener = listener
    this.#collect = null
  }

  /** The marker of the archive's end has been seen; what follows is no longer read. */
  get ended(): boolean {
    return this.#state === 'end'
  }

  /** How many entries there were, extended headers included. */
  get entries(): number {
    return this.#entries
  }

  /** Between two entries: an archive may stop here without having lost anything. */
  get betweenEntries(): boolean {
    return this.ended || (this.#state === 'header' && this.#inBlock === 0)
  }

  push(chunk: Uint8Array): void {
    let at = 0
    while (at < chunk.length && this.#state !== 'end') {
      if (this.#state === 'content') at = this.#takeContent(chunk, at)
      else at = this.#takeBlock(chunk, at)
    }
  }

  #takeContent(chunk: Uint8Array, at: number): number {
    const here = Math.min(this.#left, chunk.length - at)
    if (this.#collect && here > 0) {
      this.#collect.into.set(chunk.subarray(at, at + here), this.#collect.filled)
      this.#collect.filled += here
    }
    this.#left -= here
    if (this.#left > 0) return at + here
    if (this.#collect) {
      const { into, done } = this.#collect
      this.#collect = null
      done(into)
    }
    const padding = Math.min(this.#padding, chunk.length - at - here)
    this.#padding -= padding
    if (this.#padding === 0) this.#state = 'header'
    return at + here + padding
  }

  #takeBlock(chunk: Uint8Array, at: number): number {
    const here = Math.min(block - this.#inBlock, chunk.length - at)
    this.#block.set(chunk.subarray(at, at + here), this.#inBlock)
    this.#inBlock += here
    if (this.#inBlock < block) return at + here
    this.#inBlock = 0
    if (this.#sparse) this.#readSparseMap(this.#sparse)
    else this.#readHeader(this.#block)
    return at + here
  }

  #readHeader(header: Buffer): void {
    if (isZero(header)) {
      this.#state = 'end'
      return
    }
    if (!hasTarChecksum(header)) throw new TarDamage('one of its headers is damaged')
    this.#entries += 1
    if (this.#entries > mostEntries) throw new TarDamage(`it holds more than ${mostEntries} entries`)
    const type = String.fromCharCode(header[156] ?? 0)
    if (type === 'S' && header[482] !== 0) {
      this.#sparse = Buffer.from(header)
      this.#state = 'sparse-map'
      return
    }
    this.#open(header, type)
  }

  /** Old GNU sparse files carry more blocks of map between header and content; the last one says so. */
  #readSparseMap(header: Buffer): void {
    if (this.#block[504] !== 0) return
    this.#sparse = null
    this.#open(header, 'S')
  }

  #open(header: Buffer, type: string): void {
    const size = readSize(header)
    if (type === 'x') return this.#extension(size, (bytes) => this.#readPax(bytes))
    if (type === 'L') return this.#extension(size, (bytes) => (this.#extended.name = textUpToNul(bytes)))
    if (type === 'g' || type === 'K') return this.#extension(size, () => {})

    const extended = this.#extended
    this.#extended = {}
    const kind = kindOf(type)
    // Links and folders have no content, whatever their header says of its size.
    const stored = kind === 'file' || type > '7' ? (extended.size ?? size) : 0
    const entry: TarEntry = { name: extended.name ?? nameOf(header), kind, size: stored }
    const wanted = this.#listener.entry(entry)
    this.#expect(stored)
    if (wanted > 0 && wanted >= stored)
      this.#collectInto(stored, (bytes) => this.#listener.content(entry, bytes))
  }

  #extension(size: number, done: (bytes: Buffer) => void): void {
    this.#expect(size)
    if (size <= longestExtension) this.#collectInto(size, done)
    else this.#extended.name = '' // some name too long to be one of those looked for
  }

  #expect(size: number): void {
    this.#left = size
    this.#padding = (block - (size % block)) % block
    this.#state = size === 0 ? 'header' : 'content'
  }

  #collectInto(size: number, done: (bytes: Buffer) => void): void {
    if (size === 0) done(Buffer.alloc(0))
    else this.#collect = { into: Buffer.alloc(size), filled: 0, done }
  }

  /** Records of the form "<length> <key>=<value>\n". */
  #readPax(bytes: Buffer): void {
    let at = 0
    while (at < bytes.length) {
      const space = bytes.indexOf(0x20, at)
      const length = space < 0 ? NaN : Number(bytes.toString('latin1', at, space))
      if (!Number.isSafeInteger(length) || length <= space - at + 1 || at + length > bytes.length)
        throw new TarDamage('one of its extended headers is damaged')
      const record = bytes.toString('utf8', space + 1, at + length - 1)
      const equals = record.indexOf('=')
      const [key, value] = [record.slice(0, equals), record.slice(equals + 1)]
      if (key === 'path') this.#extended.name = value
      if (key === 'size') this.#extended.size = checkedSize(/^\d+$/.test(value) ? Number(value) : NaN)
      at += length
    }
  }
}

/** Whether a block is the header of a tar entry: the one test that tells an archive from other bytes. */
function hasTarChecksum(header: Uint8Array): boolean {
  let sum = 8 * 0x20
  for (let i = 0; i < block; i += 1) if (i < 148 || i >= 156) sum += header[i] ?? 0
  return sum > 8 * 0x20 && readOctal(header, 148, 8) === sum
}

function kindOf(type: string): TarEntry['kind'] {
  if (type === '0' || type === '\0' || type === '7' || type === 'S') return 'file'
  return type === '1' || type === '2' ? 'link' : 'other'
}

function nameOf(header: Buffer): string {
  const name = textUpToNul(header.subarray(0, 100))
  // GNU's own format has other things where ustar has the prefix; its magic has a space instead of the NUL.
  const isUstar = header.toString('latin1', 257, 263) === 'ustar\0'
  const prefix = isUstar ? textUpToNul(header.subarray(345, 500)) : ''
  return prefix === '' ? name : `${prefix}/${name}`
}

function textUpToNul(bytes: Buffer): string {
  const end = bytes.indexOf(0)
  return bytes.toString('utf8', 0, end < 0 ? bytes.length : end)
}

/** Octal digits, or base-256 when the first bit is set. */
function readSize(header: Buffer): number {
  const first = header[124] ?? 0
  if (first < 0x80) return checkedSize(readOctal(header, 124, 12))
  if (first !== 0x80) return checkedSize(NaN) // negative, or beyond all reason
  let size = 0
  for (let i = 125; i < 136; i += 1) size = size * 256 + (header[i] ?? 0)
  return checkedSize(size)
}

function checkedSize(size: number): number {
  if (!Number.isSafeInteger(size)) throw new TarDamage('one of its entries has an impossible size')
  return size
}

function readOctal(bytes: Uint8Array, start: number, length: number): number {
  let value = 0
  let digits = 0
  for (let i = start; i < start + length; i += 1) {
    const byte = bytes[i] ?? 0
    if (byte >= 0x30 && byte <= 0x37) {
      value = value * 8 + (byte - 0x30)
      digits += 1
    } else if (digits > 0 && (byte === 0 || byte === 0x20)) break
    else if (byte !== 0x20 && byte !== 0) return NaN
  }
  return value
}

function isZero(header: Buffer): boolean {
  for (const byte of header) if (byte !== 0) return false
  return true
}
