import { constants } from 'node:fs'
import { chmod, copyFile, link, lstat, open, opendir, rm, type FileHandle } from 'node:fs/promises'
import { Arrival } from './arrival.ts'
import type { Body, ReceiveOptions, Staged, StoredFile, TakeOptions } from './driver.ts'
import { ifThere, makeFolder, newStagingId, renewTime, statIfThere, syncFile, syncFolder } from './durable.ts'
import type { Ingest } from './ingest.ts'
import type { NamedDigest } from './ingest-messages.ts'
import { isStagingId, type BlobPaths } from './paths.ts'
import type { Claim, Room } from './room.ts'
import { openSource, type Source } from './source.ts'

/** Where bytes lie until somebody has agreed to them: `uploads/` of the data folder. */
export class StagingArea {
  readonly #paths: BlobPaths
  readonly #room: Room
  readonly #ingest: Ingest

  constructor(paths: BlobPaths, room: Room, ingest: Ingest) {
    this.#paths = paths
    this.#room = room
    this.#ingest = ingest
  }

  async receive(body: Body, options: ReceiveOptions): Promise<Staged> {
    const { length = null, checksums = [], keepPartial = false, continueFrom = 0 } = options
    const arrival = new Arrival(body, options)
    const left = length === null ? null : Math.max(0, length - continueFrom)
    return this.#stage(left, options, async (path, room) => {
      const handle = await open(path, continueFrom > 0 ? 'r+' : keepPartial ? 'w' : 'wx')
      try {
        if (continueFrom > 0) await cutOff(handle, continueFrom)
        const digest = await this.#ingest.stream(() => arrival.open(), handle.fd, {
          checksums,
          continueFrom,
          keepPartial,
          signal: options.signal,
          onBytes(bytes) {
            arrival.arrived(bytes)
            return room.arrived(bytes - continueFrom)
          }
        })
        arrival.checkComplete()
        return digest
      } catch (error) {
        throw arrival.explain(error)
      } finally {
        await handle.close()
      }
    }).finally(() => arrival.leave())
  }

  async size(id: string): Promise<number | null> {
    return (await statIfThere(this.#paths.staged(id)))?.size ?? null
  }

  /**
   * A file is cloned where the file system can share its blocks, and else copied in the read that digests it. It is
   * hard-linked only when it was given away: a link is the user's own file, and whoever wrote to it afterwards
   * (`tar -czf` over the same name does) would change what was released under its sha256.
   */
  async takeFile(file: string, { givenAway = false, ...options }: TakeOptions): Promise<Staged> {
    const source = await openSource(file)
    try {
      return await this.#stage(givenAway ? 0 : source.size, options, async (path) => {
        if (await clone(file, path)) return this.#readClone(path, options)
        if (givenAway && (await linkTo(file, path))) return this.#readLink(file, path, options)
        return this.#copy(source, path, options)
      })
    } finally {
      await source.handle.close()
    }
  }

  /** A name nothing lies under yet: what is left there by a crash is swept like any abandoned upload. */
  async freePath(): Promise<string> {
    await makeFolder(this.#paths.uploads)
    return this.#paths.staged(newStagingId())
  }

  async *list(): AsyncGenerator<StoredFile & { readonly id: string }> {
    const folder = await ifThere(opendir(this.#paths.uploads))
    if (!folder) return
    for await (const { name } of folder) {
      if (!isStagingId(name)) continue
      const found = await statIfThere(this.#paths.staged(name))
      if (found) yield { id: name, size: found.size, modifiedAt: Math.floor(found.mtimeMs) }
    }
  }

  async keep(id: string): Promise<void> {
    await syncFile(this.#paths.staged(id))
    await syncFolder(this.#paths.uploads)
  }

  async drop(id: string): Promise<void> {
    await rm(this.#paths.staged(id), { force: true })
  }

  async #copy(source: Source, path: string, options: ReceiveOptions): Promise<NamedDigest> {
    const handle = await open(path, 'wx')
    try {
      const digest = await this.#read(source.handle.fd, handle.fd, options)
      await source.checkUnchanged()
      return digest
    } finally {
      await handle.close()
    }
  }

  async #readLink(file: string, path: string, options: ReceiveOptions): Promise<NamedDigest> {
    // The time is the file's own, and may be one at which only what was abandoned is left in staging.
    await renewTime(path)
    const linked = await openSource(path, file)
    try {
      const digest = await this.#read(linked.handle.fd, null, options)
      await linked.checkUnchanged()
      return digest
    } finally {
      await linked.handle.close()
    }
  }

  async #readClone(path: string, options: ReceiveOptions): Promise<NamedDigest> {
    // The clone has the rights and, on some systems, the time of the original.
    await chmod(path, 0o644)
    await renewTime(path)
    const handle = await open(path, 'r')
    try {
      return await this.#read(handle.fd, null, options)
    } finally {
      await handle.close()
    }
  }

  #read(
    from: number,
    to: number | null,
    { checksums = [], signal, onProgress }: ReceiveOptions
  ): Promise<NamedDigest> {
    return this.#ingest.file(from, to, { checksums, onBytes: onProgress }, signal)
  }

  /** Finds room, lets `fill` make the file, and leaves nothing when it cannot. */
  async #stage(
    length: number | null,
    { id = newStagingId(), keepPartial = false }: ReceiveOptions,
    fill: (path: string, room: Claim) => Promise<NamedDigest>
  ): Promise<Staged> {
    const claim = await this.#room.claim(length)
    const path = this.#paths.staged(id)
    try {
      await makeFolder(this.#paths.uploads)
      return { id, ...(await fill(path, claim)) }
    } catch (error) {
      if (!keepPartial) await rm(path, { force: true })
      throw await this.#room.explain(error, length)
    } finally {
      claim.release()
    }
  }
}

/** Leaves the first so many bytes of what was kept. */
async function cutOff(handle: FileHandle, bytes: number): Promise<void> {
  const { size } = await handle.stat()
  if (size < bytes) throw new Error(`${bytes} bytes should be staged already, and there are ${size}`)
  if (size > bytes) await handle.truncate(bytes)
}

/** Tells whether the file system could share the blocks of a file; copies nothing. */
async function clone(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE_FORCE | constants.COPYFILE_EXCL)
    return true
  } catch {
    await rm(to, { force: true }) // whatever the reason, the copy will meet and name it
    return false
  }
}

/** Gives a file a second name, where that is possible; never to what only points to a file. */
async function linkTo(file: string, path: string): Promise<boolean> {
  try {
    if ((await lstat(file)).isSymbolicLink()) return false
    await link(file, path)
    return true
  } catch {
    return false // as with a clone, the copy names the reason
  }
}
