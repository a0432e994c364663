import { nameFault } from '../domain/names.ts'
import { numberFault } from '../domain/version-number.ts'
import { linkScheme } from './origin.ts'

const places = ['library', 'publish', 'transfers', 'remotes', 'storage', 'access', 'settings']
const longest = 1_000

/**
 * The place in the interface that a link names, as "/box/acme/base"; null for what is no link of ours. Anybody can make
 * a person open one, so it leads to a place and nothing else: nothing is done by a link.
 */
export function placeOfLink(link: string): string | null {
  if (link.length > longest || !link.toLowerCase().startsWith(`${linkScheme}://`)) return null
  // Taken apart by hand: URL would quietly resolve "..", and knows no origin for a scheme of ours.
  const [path = '', query = ''] = link.slice(linkScheme.length + 3).split('?')
  const [place = '', ...parts] = path.replace(/\/$/, '').split('/')
  if (place === '') return parts.length === 0 && query === '' ? '/library' : null
  if (place === 'box') return boxPlace(parts, query)
  if (place === 'remotes' && parts.length > 0) return remotePlace(parts, query)
  return places.includes(place) && parts.length === 0 && query === '' ? `/${place}` : null
}

const remotePlace = ([id, ...more]: readonly string[], query: string): string | null =>
  id !== undefined && /^[1-9]\d{0,14}$/.test(id) && more.length === 0 && query === ''
    ? `/remotes/${id}`
    : null

function boxPlace(parts: readonly string[], query: string): string | null {
  const [organization, name] = parts
  if (organization === undefined || name === undefined || parts.length !== 2) return null
  if (nameFault('', organization) !== null || nameFault('', name) !== null) return null
  const box = `/box/${organization}/${name}`
  if (query === '') return box
  const [, version] = /^version=(.*)$/.exec(query) ?? []
  return version !== undefined && numberFault(version) === null ? `${box}?version=${version}` : null
}
