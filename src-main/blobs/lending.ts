import { constants } from 'node:fs'
import { copyFile, link, mkdir, rm } from 'node:fs/promises'
import { isCode, statIfThere } from './durable.ts'
import { bytesGone } from './gone.ts'
import { BlobPaths } from './paths.ts'

/**
 * Blobs as files that other programs of this machine can be given: the file manager, by dragging. What is lent takes no
 * room of its own where that is possible, and is taken back at the next start.
 */
export class Lending {
  readonly #paths: BlobPaths

  constructor(dataDir: string) {
    this.#paths = new BlobPaths(dataDir)
  }

  /** Where the bytes themselves lie. */
  async find(sha256: string): Promise<string> {
    const file = this.#paths.blob(sha256)
    if (!(await statIfThere(file))) throw bytesGone()
    return file
  }

  /** A file of that name with those bytes; the same one when it is asked for again. */
  async lend(sha256: string, name: string): Promise<string> {
    const blob = await this.find(sha256)
    const { folder, file } = this.#paths.lentAs(sha256, name)
    await mkdir(folder, { recursive: true })
    if (await statIfThere(file)) return file
    try {
      await copyFile(blob, file, constants.COPYFILE_FICLONE_FORCE | constants.COPYFILE_EXCL)
    } catch {
      await rm(file, { force: true })
      await link(blob, file).catch((error: unknown) => {
        if (!isCode(error, 'EEXIST')) throw error // two drags at once
      })
    }
    return file
  }

  /** Takes everything back. */
  async clear(): Promise<void> {
    await rm(this.#paths.lent, { recursive: true, force: true })
  }
}
