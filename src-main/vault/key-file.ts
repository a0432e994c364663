import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import { Problem } from '../domain/problem.ts'

const keyLength = 32

/** The only place that knows where a data folder keeps the key of its secrets. */
const keyFile = (dataDir: string): string => join(dataDir, 'secret.key')

/** The key of a data folder, or null when it has none yet. */
export function readKeyFile(dataDir: string): Buffer | null {
  const file = keyFile(dataDir)
  const key = readIfThere(file)
  if (key && key.length !== keyLength)
    throw new Problem(
      'unavailable',
      `${file} is damaged: it must hold ${keyLength} bytes and holds ${key.length}.`,
      'Put the right file back, or delete it and turn two-factor off and on again for the accounts that use it.'
    )
  return key
}

/** The key of a data folder. A new one is whole and safe on disk before anybody can see it, and never replaces another. */
export function readOrMakeKeyFile(dataDir: string): Buffer {
  const there = readKeyFile(dataDir)
  if (there) return there
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const file = keyFile(dataDir)
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  try {
    writeSynced(draft, randomBytes(keyLength))
    publish(draft, file)
  } finally {
    rmSync(draft, { force: true })
  }
  syncFolder(dataDir)
  // Perhaps another process was faster: what is there now is the key of both.
  const key = readKeyFile(dataDir)
  if (!key) throw new Error(`${file} vanished while it was made`)
  return key
}

function readIfThere(file: string): Buffer | null {
  try {
    return readFileSync(file)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

function writeSynced(file: string, bytes: Buffer): void {
  const fd = openSync(file, 'wx', 0o600)
  try {
    writeFileSync(fd, bytes)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** Gives a finished draft its name unless that name is taken: a link fails then, where a rename would replace. */
function publish(draft: string, file: string): void {
  try {
    linkSync(draft, file)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return
    // File systems of memory sticks know no links.
    if (!readIfThere(file)) renameSync(draft, file)
  }
}

function syncFolder(dir: string): void {
  // Windows cannot open a folder, and needs no sync of one.
  if (process.platform === 'win32') return
  const fd = openSync(dir, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : null)
