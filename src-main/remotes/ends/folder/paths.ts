import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { nameFault, nameKey } from '../../../domain/names.ts'
import type { Tag } from '../../end.ts'

/*
 * What lies where in a folder that is a remote, besides what the catalogue's own layout has (see blobs/paths.ts).
 *
 *   boxyard-remote.json     says that the folder is one, and which
 *   boxes/
 *     acme/                 an organization, in lower case: disks that travel do not tell cases apart
 *       base.json           the document of a box, replaced in one step
 *       web.json, web~5     one that is written WeB: 5 says which letters are upper-case, the first and the third
 *       .changed            another text after every change a program made
 *   locks/
 *     <hash>                held for the moments in which something is read and replaced
 */

const suffix = '.json'

/** Names that Windows keeps for devices, whatever follows a dot. */
const deviceName = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(?=\.|$)/

/**
 * A file name that every file system takes, and that keeps apart what names keep apart: no word Windows keeps for a device,
 * no dot at the end, which it drops. Names hold no "~" and do not begin with "_".
 */
const fileNameOf = (name: string): string =>
  nameKey(name)
    .replace(deviceName, (word) => `_${word}`)
    .replace(/\.$/, '.~')

/** The key of the name a file was made for; null when it was made for none. */
function keyOf(fileName: string): string | null {
  const key = fileName.replace(/^_/, '').replace(/~$/, '')
  return nameFault('The name', key) === null && fileNameOf(key) === fileName ? key : null
}

/** Which letters are upper-case, as hexadecimal digits; null when none is. */
function caseMark(name: string): string | null {
  let mask = 0n
  for (let at = 0; at < name.length; at++) if (/[A-Z]/.test(name.charAt(at))) mask |= 1n << BigInt(at)
  return mask === 0n ? null : mask.toString(16)
}

const inCase = (key: string, mark: string): string =>
  [...key]
    .map((letter, at) => ((BigInt(`0x${mark}`) >> BigInt(at)) & 1n ? letter.toUpperCase() : letter))
    .join('')

/** What a file of a folder is: a document (or the folder of an organization) by its key, or how one is written. */
export type Entry =
  | { readonly kind: 'box'; readonly key: string }
  | { readonly kind: 'written'; readonly key: string; readonly name: string }

/** Null for what is neither: files of others, and what is being written. */
export function entryOf(fileName: string, of: 'box' | 'organization'): Entry | null {
  const end = of === 'box' ? suffix : ''
  if (fileName.endsWith(end)) {
    const key = keyOf(fileName.slice(0, fileName.length - end.length))
    if (key !== null) return { kind: 'box', key }
  }
  const [, file = '', mark] = /^(.+)~([0-9a-f]{1,32})$/.exec(fileName) ?? []
  const key = mark === undefined ? null : keyOf(file)
  return key === null || mark === undefined ? null : { kind: 'written', key, name: inCase(key, mark) }
}

/** The paths of one folder. What is no name never becomes part of one. */
export class FolderPaths {
  readonly root: string
  readonly marker: string
  readonly boxes: string
  readonly locks: string

  constructor(root: string) {
    this.root = root
    this.marker = join(root, 'boxyard-remote.json')
    this.boxes = join(root, 'boxes')
    this.locks = join(root, 'locks')
  }

  organization(name: string): string {
    checkName(name)
    return join(this.boxes, fileNameOf(name))
  }

  box({ organization, name }: Tag): string {
    checkName(name)
    return join(this.organization(organization), `${fileNameOf(name)}${suffix}`)
  }

  /** Empty files that say how names are written, where that is not in lower case. */
  written({ organization, name }: Tag): readonly string[] {
    const ofOrganization = caseMark(organization)
    const ofBox = caseMark(name)
    return [
      ...(ofOrganization === null ? [] : [`${this.organization(organization)}~${ofOrganization}`]),
      ...(ofBox === null ? [] : [join(this.organization(organization), `${fileNameOf(name)}~${ofBox}`)])
    ]
  }

  changed(organization: string): string {
    return join(this.organization(organization), '.changed')
  }

  /** `what` may be anything. */
  lock(what: string): string {
    return join(this.locks, createHash('sha256').update(what).digest('hex').slice(0, 32))
  }
}

function checkName(name: string): void {
  const fault = nameFault('The name', name)
  if (fault !== null) throw new TypeError(fault)
}
