import { createGunzip, type Gunzip } from 'node:zlib'
import { readBoxMetadata, type BoxMetadata } from './box-metadata.ts'
import type { BoxFacts } from './driver.ts'
import { TarDamage, TarReader, type TarEntry } from './tar-reader.ts'

/** A real metadata.json has some hundred bytes. */
const largestMetadata = 1024 * 1024
/** Pieces in which compressed bytes are handed on: one of them unpacks to 64 MiB at worst. */
const piece = 64 * 1024
/** Beyond this much, unpacked bytes must be in proportion to what was sent: disk images full of zeros are, bombs are not. */
const inflatesFreely = 256 * 1024 * 1024
const largestRatio = 100

const unread = 'so what it says of its provider and architecture is not known.'

/**
 * Looks into a box file while its bytes stream by, and holds none of them but metadata.json. It never fails:
 * what is odd about a file becomes a note, since storing it does not depend on understanding it.
 */
export class BoxInspector {
  readonly #tar: TarReader
  /** The first bytes, until there are enough of them to tell the format. */
  #head = Buffer.alloc(0)
  #mode: 'unknown' | 'plain' | 'gzip' = 'unknown'
  #gunzip: Gunzip | null = null
  #gunzipClosed: Promise<void> = Promise.resolve()
  /** Ends the wait for a write: a gunzip that fails does not answer the one it was busy with. */
  #release: () => void = () => {}
  #tail: Promise<void> = Promise.resolve()
  #size = 0
  #inflated = 0
  #finished = false
  /** Why reading stopped before the end, as a clause. */
  #damage: string | null = null
  #metadata: BoxMetadata | null = null
  /** What stood in the place of a usable metadata.json. */
  #instead: string | null = null
  #hasVagrantfile = false

  constructor() {
    this.#tar = new TarReader({
      entry: (entry) => this.#entry(entry),
      content: (_, bytes) => (this.#metadata = readBoxMetadata(bytes))
    })
  }

  /** Nothing that could still come would tell more: bytes need not be handed over any longer. */
  get finished(): boolean {
    return this.#finished
  }

  /** Resolves once `chunk` is no longer read from; null when that is so already. Calls may overlap. */
  write(chunk: Uint8Array): Promise<void> | null {
    this.#size += chunk.length
    if (this.#finished) return null
    if (this.#mode === 'unknown') {
      const kept = this.#head
      this.#head = Buffer.concat([kept, chunk.subarray(0, 3)])
      if (this.#head.length < 3) return null
      this.#begin()
      void this.#pass(kept)
    }
    return this.#pass(chunk)
  }

  async finish(): Promise<BoxFacts> {
    if (this.#mode === 'unknown') {
      this.#begin()
      void this.#pass(this.#head)
    }
    await this.#tail
    if (this.#gunzip) {
      if (!this.#finished) this.#gunzip.end()
      else this.#gunzip.destroy()
      await this.#gunzipClosed
    }
    if (!this.#finished && this.#damage === null && !this.#tar.betweenEntries)
      this.#damage = 'it ends in the middle of a file'
    return this.#facts()
  }

  #begin(): void {
    const [first, second, third] = this.#head
    this.#mode = first === 0x1f && second === 0x8b && third === 8 ? 'gzip' : 'plain'
    if (this.#mode === 'gzip') this.#openGunzip()
  }

  #openGunzip(): void {
    const gunzip = createGunzip({ chunkSize: piece })
    gunzip.on('data', (bytes: Buffer) => {
      this.#inflated += bytes.length
      this.#read(bytes)
      if (this.#inflated > inflatesFreely + largestRatio * this.#size)
        this.#stop(`it unpacks to more than ${largestRatio} times its size`)
    })
    gunzip.on('error', (error: NodeJS.ErrnoException) =>
      this.#stop(
        error.code === 'Z_BUF_ERROR' ? 'its compressed data ends early' : 'its compressed data is damaged'
      )
    )
    this.#gunzipClosed = new Promise((resolve) => gunzip.once('close', resolve))
    gunzip.once('close', () => this.#release())
    this.#gunzip = gunzip
  }

  #pass(chunk: Uint8Array): Promise<void> | null {
    if (this.#mode === 'plain') {
      this.#read(chunk)
      return null
    }
    this.#tail = this.#tail.then(() => this.#inflate(chunk))
    return this.#tail
  }

  async #inflate(chunk: Uint8Array): Promise<void> {
    const gunzip = this.#gunzip
    if (!gunzip) return
    for (let at = 0; at < chunk.length && !this.#finished; at += piece) {
      await new Promise<void>((resolve) => {
        this.#release = resolve
        gunzip.write(chunk.subarray(at, at + piece), () => resolve())
      })
    }
    // Closed only here, between two writes: while one runs, a thread of zlib's reads from the chunk.
    if (this.#finished) gunzip.destroy()
  }

  #read(bytes: Uint8Array): void {
    if (this.#finished) return
    try {
      this.#tar.push(bytes)
    } catch (error) {
      if (!(error instanceof TarDamage)) throw error
      this.#stop(error.message)
    }
    if (this.#tar.ended || (this.#hasVagrantfile && (this.#metadata ?? this.#instead) !== null))
      this.#finished = true
  }

  #stop(why: string): void {
    if (this.#finished) return
    this.#damage = why
    this.#finished = true
  }

  #entry({ name, kind, size }: TarEntry): number {
    const plain = name.startsWith('./') ? name.slice(2) : name
    if (plain === 'Vagrantfile') this.#hasVagrantfile ||= kind === 'file'
    if (plain !== 'metadata.json' || this.#metadata !== null || this.#instead !== null) return 0
    if (kind !== 'file') this.#instead = 'Its metadata.json is not a file.'
    else if (size > largestMetadata)
      this.#instead = 'Its metadata.json is larger than 1 MiB and was not read.'
    else return largestMetadata
    return 0
  }

  #facts(): BoxFacts {
    const isArchive = this.#tar.entries > 0
    return {
      format: !isArchive ? 'other' : this.#mode === 'gzip' ? 'tar.gz' : 'tar',
      provider: this.#metadata?.provider ?? null,
      architecture: this.#metadata?.architecture ?? null,
      diskFormat: this.#metadata?.diskFormat ?? null,
      hasVagrantfile: this.#hasVagrantfile,
      note: (isArchive ? this.#notesOfArchive() : this.#noteOfOther()) || null
    }
  }

  #notesOfArchive(): string {
    const notes: string[] = []
    if (this.#damage !== null) notes.push(`The archive could not be read to its end: ${this.#damage}.`)
    if (this.#metadata) notes.push(...this.#metadata.notes)
    else notes.push(this.#instead ?? `No metadata.json was found in it, ${unread}`)
    return notes.join(' ')
  }

  #noteOfOther(): string {
    if (this.#size === 0) return 'The file is empty.'
    if (this.#mode === 'gzip')
      return `The file is compressed with gzip but holds no readable tar archive, ${unread}`
    return `The file is neither a tar archive nor a compressed one in the format of gzip, ${unread}`
  }
}
