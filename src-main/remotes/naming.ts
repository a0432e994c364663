import { basename, isAbsolute, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nameFault, nameKey } from '../domain/names.ts'
import { Problem } from '../domain/problem.ts'

/** Where a remote is, in the one form it is kept in. */
export interface Place {
  readonly kind: 'http' | 'folder'
  readonly location: string
}

const longestName = 64

/** Brings what a person wrote or pasted into that form. */
export function placeOf(written: string): Place {
  const text = written.trim()
  if (/^file:/i.test(text)) return { kind: 'folder', location: folderOfUrl(text) }
  if (isAbsolute(text)) return { kind: 'folder', location: withoutEnd(resolve(text)) }
  if (/^https?:/i.test(text)) return { kind: 'http', location: registryAddress(text) }
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text))
    throw invalid(
      `A remote cannot be reached by "${text.slice(0, text.indexOf(':'))}".`,
      'It is an address that begins with https:// or http://, or a folder.'
    )
  throw invalid(
    'This is neither the address of a registry nor a folder.',
    'An address begins with https:// or http://, and a folder is named by its whole path.'
  )
}

function folderOfUrl(text: string): string {
  try {
    return withoutEnd(resolve(fileURLToPath(text)))
  } catch {
    throw invalid(
      'This file: address names no folder of this machine.',
      'Write the whole path of the folder instead.'
    )
  }
}

const withoutEnd = (path: string): string => (path.length > 1 ? path.replace(/[\\/]+$/, '') || '/' : path)

function registryAddress(text: string): string {
  if (!URL.canParse(text))
    throw invalid('This address cannot be read.', 'It should look like https://registry.example.')
  const url = new URL(text)
  if (url.username !== '' || url.password !== '')
    throw invalid(
      'An address may not hold a name or a password: addresses are shown and kept as they are.',
      'Give the token by itself; it goes to the keychain.'
    )
  if (url.search !== '' || url.hash !== '')
    throw invalid('The address of a registry ends before any "?" or "#".', 'Leave that part out.')
  const path = url.pathname
    .replaceAll(/\/{2,}/g, '/')
    .replace(/\/+$/, '')
    .replace(/\/api\/v[12](\/vagrant)?$/i, '')
  return `${url.protocol}//${url.host}${path}`
}

/** How the person calls a remote. */
export function checkRemoteName(name: string): void {
  const fault =
    name === ''
      ? 'The name of the remote is missing.'
      : [...name].length > longestName
        ? `The name of the remote is ${[...name].length} characters long; ${longestName} is the most.`
        : /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name) || name !== name.trim()
          ? 'The name of the remote may not hold line breaks or unseen characters, nor begin or end with a space.'
          : /^\d+$/.test(name)
            ? 'The name of the remote may not be a number alone, which stands for its place in the list.'
            : null
  if (fault) throw invalid(fault)
}

/** Parts of host names that say nothing about whose registry it is. */
const commonLabels = new Set(['www', 'api', 'registry', 'boxes', 'box', 'vagrant', 'vagrantcloud'])

/** A name a remote could have, which no other has: after its host or folder. */
export function suggestedName({ kind, location }: Place, isTaken: (key: string) => boolean): string {
  const first = kind === 'folder' ? basename(location) : hostWords(new URL(location))
  const cleaned = first
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[-._]+|[-._]+$/g, '')
    .slice(0, longestName - 8)
  const usable = cleaned === '' || /^\d+$/.test(cleaned) ? `remote${cleaned && `-${cleaned}`}` : cleaned
  for (let number = 1; ; number++) {
    const name = number === 1 ? usable : `${usable}-${number}`
    if (!isTaken(nameKey(name))) return name
  }
}

function hostWords({ hostname, port }: URL): string {
  const isAddress = /^[\d.]+$|^\[/.test(hostname)
  if (isAddress || !hostname.includes('.')) return port === '' ? hostname : `${hostname}-${port}`
  const labels = hostname.split('.')
  const telling = labels.slice(0, -1).filter((label) => !commonLabels.has(label))
  return telling.length === 1 ? (telling[0] as string) : hostname
}

/** Refuses names that could be none, and two organizations here that would be one there. */
export function checkOrganizationMap(map: Readonly<Record<string, string>>): void {
  const here = new Map<string, string>()
  const there = new Map<string, string>()
  for (const [from, to] of Object.entries(map)) {
    const fault = nameFault('The organization', from) ?? nameFault('The organization', to)
    if (fault) throw invalid(fault)
    if (here.has(nameKey(from)))
      throw invalid(`Two names are given for the organization ${from}; it has one at a remote.`)
    const other = there.get(nameKey(to))
    if (other !== undefined)
      throw invalid(
        `${other} and ${from} would both be ${to} there.`,
        'Each organization here needs a name of its own there.'
      )
    here.set(nameKey(from), to)
    there.set(nameKey(to), from)
  }
}

/** How an organization here is called there; it has the same name where the map says nothing. */
export function organizationThere(map: Readonly<Record<string, string>>, name: string): string {
  const key = nameKey(name)
  return Object.entries(map).find(([from]) => nameKey(from) === key)?.[1] ?? name
}

/** How an organization there is called here. */
export function organizationHere(map: Readonly<Record<string, string>>, name: string): string {
  const key = nameKey(name)
  return Object.entries(map).find(([, to]) => nameKey(to) === key)?.[0] ?? name
}

const invalid = (...sentences: string[]): Problem => new Problem('invalid', ...sentences)
