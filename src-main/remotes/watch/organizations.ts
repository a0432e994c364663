import { nameKey } from '../../domain/names.ts'
import type { RemoteRow } from '../../store/remotes.ts'
import { organizationHere, organizationThere } from '../naming.ts'

/** The organizations a look at a remote is about, by their names here. */
export interface LookedAt {
  /** Whose boxes go to that remote: the account has them there, or the person says how they are called. */
  readonly going: readonly string[]
  /** Those, and the ones boxes were agreed on of. */
  readonly listed: readonly string[]
}

export function organizationsOf(
  { organizations, organizationMap }: Pick<RemoteRow, 'organizations' | 'organizationMap'>,
  agreed: readonly string[]
): LookedAt {
  const owned = organizations.map((name) => organizationHere(organizationMap, name))
  const going = distinct([...owned, ...Object.keys(organizationMap)])
  return { going, listed: distinct([...going, ...agreed.filter(isReached)]) }

  /** Not one whose name there belongs to another one. */
  function isReached(name: string): boolean {
    const there = organizationThere(organizationMap, name)
    return nameKey(organizationHere(organizationMap, there)) === nameKey(name)
  }
}

/** Names are the same whatever their case. */
const distinct = (names: readonly string[]): string[] => [
  ...new Map(names.map((name) => [nameKey(name), name])).values()
]
