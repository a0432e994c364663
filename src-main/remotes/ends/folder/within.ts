import { readdir, realpath } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { ifThere, isCode } from '../../../blobs/durable.ts'
import { RemoteFailure } from '../../failure.ts'

/** Folders of a remote that hold folders, each by its path in it. */
const withFolders = ['', 'boxes', 'blobs', join('blobs', 'sha256')]
const own = new Set(['boxes', 'blobs', 'locks', 'uploads', 'quarantine'])

/**
 * Refuses a folder in which links lead out of it: whoever made the disk would otherwise have files of this machine read,
 * replaced and removed in place of the disk's.
 */
export async function checkWithin(root: string): Promise<void> {
  const real = await realpath(root)
  for (const folder of withFolders)
    for (const name of await linksIn(join(root, folder))) {
      const path = join(folder, name)
      if ((folder === '' && !own.has(name)) || (await leadsWithin(real, join(root, path)))) continue
      throw new RemoteFailure('refused', [
        `In the folder ${root}, "${path.slice(0, 200)}" is a link that leads out of it, so nothing is done there.`,
        'Put the folder it leads to in its place, or choose another folder.'
      ])
    }
}

async function linksIn(folder: string): Promise<string[]> {
  const entries = await ifThere(readdir(folder, { withFileTypes: true })).catch((error: unknown) => {
    if (isCode(error, 'ENOTDIR')) return null // whoever needs it as a folder says so
    throw error
  })
  return (entries ?? []).filter((entry) => entry.isSymbolicLink()).map(({ name }) => name)
}

async function leadsWithin(root: string, link: string): Promise<boolean> {
  const target = await realpath(link).catch(() => null)
  if (target === null) return false
  const way = relative(root, target)
  return way !== '..' && !way.startsWith(`..${sep}`) && way !== target
}
