import { renameSync, rmSync, statSync } from 'node:fs'
import { opendir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import type { ChecksumType } from '../domain/model.ts'
import type {
  BlobDriver,
  Body,
  ByteRange,
  CopyOptions,
  Digest,
  ReceiveOptions,
  Staged,
  StoredFile,
  TakeOptions
} from './driver.ts'
import {
  ifThere,
  isCode,
  makeFolder,
  moveIfThere,
  renewTime,
  replaceFile,
  statIfThere,
  syncFile,
  syncFolder
} from './durable.ts'
import { bytesGone } from './gone.ts'
import { Ingest } from './ingest.ts'
import { BlobPaths, isSha256 } from './paths.ts'
import { NoSuchFile, openRegular, readSmall } from './regular-file.ts'
import { Room } from './room.ts'
import { openFile } from './file-reader.ts'
import { sendFile } from './send.ts'
import { StagingArea } from './staging-area.ts'

/** A file that is used by more boxes than anybody has fits. */
const largestSidecar = 64 * 1024 * 1024

/** Blobs as files in the data folder. */
export const fsDriver = (dataDir: string): BlobDriver => new FsDriver(dataDir)

class FsDriver implements BlobDriver {
  readonly #paths: BlobPaths
  readonly #room: Room
  readonly #ingest = new Ingest()
  readonly #staging: StagingArea

  constructor(dataDir: string) {
    this.#paths = new BlobPaths(dataDir)
    this.#room = new Room(dataDir)
    this.#staging = new StagingArea(this.#paths, this.#room, this.#ingest)
  }

  receive(body: Body, options: ReceiveOptions = {}): Promise<Staged> {
    return this.#staging.receive(body, options)
  }

  stagedSize(id: string): Promise<number | null> {
    return this.#staging.size(id)
  }

  takeFile(path: string, options: TakeOptions = {}): Promise<Staged> {
    return this.#staging.takeFile(path, options)
  }

  keep({ id }: Staged): Promise<void> {
    return this.#staging.keep(id)
  }

  async commit({ id, sha256, size }: Staged): Promise<void> {
    const from = this.#paths.staged(id)
    const to = this.#paths.blob(sha256)
    try {
      const isStaged = (await ifThere(syncFile(from).then(() => true))) ?? false
      await makeFolder(this.#paths.shelf(sha256))
      // The time is renewed before the look: a collector that saw the old time then finds the new one, and whoever
      // finds the blob gone after the look puts these bytes in its place.
      await renewTime(to)
      const kept = await statIfThere(to)
      if (kept?.size === size) await rm(from, { force: true })
      else if (isStaged) await rename(from, to)
      else throw bytesGone()
      await syncFolder(this.#paths.shelf(sha256))
    } catch (error) {
      throw await this.#room.explain(error, size)
    }
  }

  async discard({ id }: Staged): Promise<void> {
    await this.#staging.drop(id)
  }

  async size(sha256: string): Promise<number | null> {
    const found = await statIfThere(this.#paths.blob(sha256))
    return found?.isFile() ? found.size : null
  }

  copyTo(sha256: string, target: Writable, range?: ByteRange, options: CopyOptions = {}): Promise<void> {
    return sendFile(this.#paths.blob(sha256), target, range, options)
  }

  read(sha256: string, from: number): Promise<Readable> {
    return openFile(this.#paths.blob(sha256), from)
  }

  async digest(
    sha256: string,
    types: readonly ChecksumType[],
    onProgress?: (bytes: number) => void
  ): Promise<Digest | null> {
    const handle = await openRegular(this.#paths.blob(sha256))
    if (!handle) return null
    try {
      return await this.#ingest.file(handle.fd, null, { checksums: types, onBytes: onProgress })
    } finally {
      await handle.close()
    }
  }

  async remove(sha256: string): Promise<void> {
    await rm(this.#paths.blob(sha256), { force: true })
    await rm(this.#paths.sidecar(sha256), { force: true })
  }

  /**
   * The blob is moved aside before its time is looked at, so that nobody can renew it between the look and the removal;
   * renewed already, it is put back. Synchronous, because between those steps the blob is not where it belongs.
   */
  async removeIfUnchanged(sha256: string, modifiedAt: number): Promise<boolean> {
    const aside = await this.#staging.freePath()
    const blob = this.#paths.blob(sha256)
    try {
      renameSync(blob, aside)
    } catch (error) {
      if (isCode(error, 'ENOENT')) return false
      throw error
    }
    if (Math.floor(statSync(aside).mtimeMs) !== modifiedAt) {
      renameSync(aside, blob)
      return false
    }
    rmSync(aside)
    if ((await this.size(sha256)) === null) await rm(this.#paths.sidecar(sha256), { force: true })
    return true
  }

  async quarantine(sha256: string): Promise<void> {
    const to = this.#paths.quarantined(sha256, Date.now())
    await makeFolder(to.folder)
    await moveIfThere(this.#paths.blob(sha256), to.blob)
    await moveIfThere(this.#paths.sidecar(sha256), to.sidecar)
    await syncFolder(to.folder)
  }

  async *list(): AsyncGenerator<StoredFile & { readonly sha256: string }> {
    const shelves = await ifThere(opendir(this.#paths.blobs))
    if (!shelves) return
    for await (const { name: shelf } of shelves) {
      for (const name of await readShelf(join(this.#paths.blobs, shelf))) {
        const found = await statIfThere(this.#paths.blob(name))
        if (found) yield { sha256: name, size: found.size, modifiedAt: Math.floor(found.mtimeMs) }
      }
    }
  }

  async writeSidecar(sha256: string, content: unknown): Promise<void> {
    if ((await this.size(sha256)) === null) return
    const staged = await this.#staging.freePath()
    await replaceFile(this.#paths.sidecar(sha256), JSON.stringify(content), staged)
  }

  async readSidecar(sha256: string): Promise<unknown> {
    try {
      const text = await readSmall(this.#paths.sidecar(sha256), largestSidecar)
      return text === null ? null : (JSON.parse(text) as unknown)
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof NoSuchFile) return null
      throw error
    }
  }

  freeBytes(): Promise<number> {
    return this.#room.free()
  }

  staging(): AsyncGenerator<StoredFile & { readonly id: string }> {
    return this.#staging.list()
  }

  dropStaged(id: string): Promise<void> {
    return this.#staging.drop(id)
  }

  close(): Promise<void> {
    return this.#ingest.close()
  }
}

async function readShelf(path: string): Promise<string[]> {
  const names = await ifThere(readdir(path)).catch((error: unknown) => {
    if (isCode(error, 'ENOTDIR')) return null // a file somebody else put there
    throw error
  })
  return (names ?? []).filter(isSha256)
}
