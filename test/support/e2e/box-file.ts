import { randomUUID } from 'node:crypto'
import { closeSync, ftruncateSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { endOfArchive, tarEntry } from '../archives.ts'

/** A box file to be made. */
export interface BoxFileOptions {
  /** Null leaves it out, as very old boxes do. */
  readonly provider?: string | null
  readonly architecture?: string | null
  /** Of the disk in it, in bytes. Large ones cost no time and no room: their disk is a hole in the file. */
  readonly size?: number
  /** May be in a folder: "lab/base.box". */
  readonly name?: string
}

/** Writes a real box file, different from every other in its bytes, and returns its path. */
export function writeBoxFile(
  folder: string,
  { provider = 'virtualbox', architecture = 'amd64', size = 0, name = 'base.box' }: BoxFileOptions = {}
): string {
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  const metadata = { ...(provider && { provider }), ...(architecture && { architecture }) }
  const entries = Buffer.concat([
    tarEntry({ name: 'metadata.json', content: JSON.stringify(metadata) }),
    tarEntry({ name: 'Vagrantfile', content: `# ${randomUUID()}\nVagrant.configure("2") {}\n` })
  ])
  const file = openSync(path, 'w')
  try {
    if (size === 0) writeSync(file, gzipSync(Buffer.concat([entries, endOfArchive])))
    else {
      const sizeField = Buffer.from(`${size.toString(8).padStart(11, '0')}\0`)
      const disk = tarEntry({ name: 'box-disk001.vmdk', sizeField })
      writeSync(file, Buffer.concat([entries, disk]))
      const rounded = Math.ceil(size / 512) * 512
      ftruncateSync(file, entries.length + disk.length + rounded + endOfArchive.length)
    }
  } finally {
    closeSync(file)
  }
  return path
}
