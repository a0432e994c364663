import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Permissions } from '../access/permissions.ts'
import type { BlobDriver, Staged } from '../blobs/driver.ts'
import { wholeImageInWords } from '../contract/sentences.ts'
import type { Caller, Image } from '../domain/model.ts'
import { missing, Problem } from '../domain/problem.ts'
import { boxTable, type BoxTable } from '../store/boxes.ts'
import { heldBytes, type HeldBytes } from '../store/held-bytes.ts'
import { imageTable, type ImageTable } from '../store/images.ts'
import type { Db } from '../store/open.ts'
import { uploadTable, type StoredUpload, type UploadKind, type UploadTable } from '../store/uploads.ts'
import { versionTable, type VersionTable } from '../store/versions.ts'
import { write } from '../store/write.ts'
import type { BegunUpload, ClientUploads } from './client-uploads.ts'
import { Lookup, type ImageRef } from './lookup.ts'
import type { Publishing } from './publishing.ts'

/** Where bytes may be sent: the id is public, the key is what lets its holder send. */
export interface IssuedUpload {
  readonly id: string
  readonly key: string
}

const usualTimeToStart = 15 * 60_000
const abandonedAfter = 24 * 60 * 60_000
const heartbeat = 10 * 60_000

/** Brings bytes from clients. An address is given out first, and is good for one image. */
export class Uploads {
  readonly #db: Db
  readonly #bytes: BlobDriver
  readonly #publishing: Publishing
  readonly #now: () => number
  readonly #timeToStart: number
  readonly #lookup: Lookup
  readonly #uploads: UploadTable
  readonly #clientUploads: ClientUploads
  readonly #boxes: BoxTable
  readonly #versions: VersionTable
  readonly #images: ImageTable
  readonly #held: HeldBytes

  constructor(parts: {
    db: Db
    permissions: Permissions
    blobs: BlobDriver
    publishing: Publishing
    /** Told of what is being received. */
    clientUploads: ClientUploads
    /** How long an address waits for its first byte, in milliseconds. */
    timeToStart?: number | undefined
    now?: (() => number) | undefined
  }) {
    this.#db = parts.db
    this.#bytes = parts.blobs
    this.#publishing = parts.publishing
    this.#now = parts.now ?? Date.now
    this.#timeToStart = parts.timeToStart ?? usualTimeToStart
    this.#lookup = new Lookup(parts)
    this.#uploads = uploadTable(parts.db)
    this.#clientUploads = parts.clientUploads
    this.#boxes = boxTable(parts.db)
    this.#versions = versionTable(parts.db)
    this.#images = imageTable(parts.db)
    this.#held = heldBytes(parts.db)
  }

  issue(caller: Caller, ref: ImageRef, kind: UploadKind): IssuedUpload {
    const id = randomUUID()
    const key = randomBytes(24).toString('base64url')
    this.#change(() => {
      const now = this.#now()
      const { id: imageId } = this.#imageToChange(caller, ref)
      this.#uploads.insert(
        { id, keyHash: hashOf(key), imageId, kind, expiresAt: now + this.#timeToStart },
        now
      )
    })
    return { id, key }
  }

  /**
   * Takes the bytes. Those of a simple upload are published when the last one is here, those of a direct one when its
   * callback comes. May be called again by a client that did not hear the answer.
   */
  async receive(
    id: string,
    key: string,
    body: Readable,
    options: { length?: number | null; signal?: AbortSignal } = {}
  ): Promise<void> {
    const { imageId, kind } = this.#begin(id, key)
    const { length = null, signal } = options
    const running = this.#clientUploads.begin({ ...this.#describe(imageId), size: length })
    const alive = this.#heartbeat(id)
    const staged = await this.#bytes
      .receive(body, {
        length,
        signal: signal ? AbortSignal.any([signal, running.signal]) : running.signal,
        checksums: [this.#publishing.typeNeeded(imageId)],
        onProgress(bytes) {
          running.progress(bytes)
          alive()
        }
      })
      .finally(() => running.end())
    try {
      this.#publishing.check(imageId, staged)
      await this.#bytes.commit(staged)
    } catch (error) {
      await this.#bytes.discard(staged)
      throw error
    }
    const { sha256, checksums } = staged
    if (kind === 'simple')
      await this.#publishing.publish({ sha256, checksums, hostedToken: id }, (put, now) => {
        this.#existing(id)
        this.#publishing.record(staged)
        this.#uploads.finish(id, now)
        put(imageId)
      })
    else this.#change(() => this.#hold(id, staged))
  }

  /** Publishes what a direct upload brought. Asked again, it answers the same. */
  async finish(caller: Caller, ref: ImageRef, id: string): Promise<Image> {
    const image = this.#imageToChange(caller, ref)
    const upload = this.#existing(id)
    if (upload.imageId !== image.id) throw missing()
    if (upload.finishedAt !== null) return image
    if (upload.blob === null)
      throw new Problem(
        'invalid',
        'No file has arrived for this upload yet; send it to its upload URL first.'
      )
    const bytes = { sha256: upload.blob, checksums: upload.checksums, hostedToken: id }
    return this.#publishing.publish(bytes, (put, now) => {
      this.#existing(id)
      this.#uploads.finish(id, now)
      return put(image.id)
    })
  }

  /** Forgets uploads nobody came back to, and what they left behind. */
  async sweep(): Promise<void> {
    const before = this.#now() - abandonedAfter
    this.#change(() => this.#uploads.sweep(before))
    for await (const { id, modifiedAt } of this.#bytes.staging())
      if (modifiedAt < before && !this.#held.staged(id)) await this.#bytes.dropStaged(id)
  }

  /** What people call an image. */
  #describe(imageId: number): Pick<BegunUpload, 'what' | 'box'> {
    const image = this.#images.get(imageId)
    const version = image && this.#versions.get(image.versionId)
    const box = version && this.#boxes.get(version.boxId)
    if (!box) throw missing()
    const { organization, name } = box
    return {
      what: wholeImageInWords(box, { ...image, version: version.number }),
      box: { organization, name }
    }
  }

  #begin(id: string, key: string): StoredUpload {
    return this.#change(() => {
      const now = this.#now()
      const upload = this.#uploads.get(id)
      if (!upload || !sameHash(upload.keyHash, hashOf(key)) || !this.#isOpen(upload, now)) throw addressGone()
      this.#uploads.alive(id, now)
      return upload
    })
  }

  /** Time counts only until the first byte: a slow line may take as long as it needs, and try again. */
  #isOpen({ kind, expiresAt, startedAt, finishedAt }: StoredUpload, now: number): boolean {
    if (finishedAt !== null) return kind === 'simple' && now <= finishedAt + this.#timeToStart
    return startedAt !== null || now <= expiresAt
  }

  #hold(id: string, staged: Staged): void {
    this.#existing(id)
    this.#publishing.record(staged)
    this.#uploads.hold(id, staged.sha256, staged.checksums)
  }

  /** Keeps a long upload from being taken for an abandoned one. */
  #heartbeat(id: string): () => void {
    let last = this.#now()
    return () => {
      const now = this.#now()
      if (now - last < heartbeat) return
      last = now
      this.#uploads.alive(id, now)
    }
  }

  #existing(id: string): StoredUpload {
    const upload = this.#uploads.get(id)
    if (!upload) throw missing()
    return upload
  }

  #imageToChange(caller: Caller, ref: ImageRef): Image {
    const box = this.#lookup.boxToChange(caller, ref.organization, ref.box)
    return this.#lookup.image(this.#lookup.version(caller, box, ref.version), ref)
  }

  #change<T>(work: () => T): T {
    return write(this.#db, work)
  }
}

/** The same for an unknown address, a wrong key and one that has expired: nobody can tell them apart. */
const addressGone = (): Problem =>
  new Problem(
    'missing',
    'This upload address is unknown or has expired; ask for a new one and send the file there.'
  )

const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex')

const sameHash = (a: string, b: string): boolean => timingSafeEqual(Buffer.from(a), Buffer.from(b))
