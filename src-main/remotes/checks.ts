import type { NewRemote, RemoteChanges } from '../contract/remotes.ts'
import { nameKey } from '../domain/names.ts'
import { Problem } from '../domain/problem.ts'
import type { RemoteRow } from '../store/remotes.ts'
import type { Access } from './end.ts'
import { checkOrganizationMap, checkRemoteName, organizationThere, placeOf, type Place } from './naming.ts'
import { checkedCertificates, checkPlainHttp } from './trust.ts'

/** How a remote is to be reached, but for its token. */
export type WayThere = Omit<Access, 'api' | 'token'>

/** Checks all that a person says of a new remote before anything is asked of it. */
export function wayToNew(input: NewRemote): WayThere {
  const place = placeOf(input.location)
  if (input.name !== undefined) checkRemoteName(input.name)
  checkOrganizationMap(input.organizationMap ?? {})
  refuseTokenOfFolder(place, input.token)
  const allowPlainHttp = input.allowPlainHttp ?? false
  checkPlainHttp(place.location, allowPlainHttp)
  return { ...place, allowPlainHttp, certificates: checkedCertificates(input.certificates ?? '') }
}

/** The same of changes: how it is to be reached with them. */
export function wayAfter(row: RemoteRow, changes: RemoteChanges, hasToken: boolean): WayThere {
  if (changes.name !== undefined) checkRemoteName(changes.name)
  if (changes.organizationMap) checkOrganizationMap(changes.organizationMap)
  const place = changes.location === undefined ? row : sameKind(row, placeOf(changes.location))
  refuseTokenOfFolder(place, changes.token)
  if (hasToken && changes.token === undefined) refuseTokenElsewhere(row, place)
  const allowPlainHttp = changes.allowPlainHttp ?? row.allowPlainHttp
  checkPlainHttp(place.location, allowPlainHttp)
  const certificates =
    changes.certificates === undefined ? row.certificates : checkedCertificates(changes.certificates)
  return { kind: row.kind, location: place.location, allowPlainHttp, certificates }
}

/** Whether something else may be there, or may see us otherwise, so that it has to be asked. */
export const isReachedOtherwise = (row: RemoteRow, way: WayThere, { token }: RemoteChanges): boolean =>
  way.location !== row.location ||
  way.certificates !== row.certificates ||
  (token !== undefined && token !== '')

/** Registries without an id of their own are told by their address and by whom they know us as. */
const account = /^(at .*) as [^ ]*$/

/** Whether it is the same place, though it may know us as somebody else. */
export const isSamePlace = (one: string, other: string): boolean =>
  one === other || one.replace(account, '$1') === other.replace(account, '$1')

/** Who it is to somebody without a token. */
export const identityForNobody = (identity: string): string => identity.replace(account, '$1 as nobody')

/** What was agreed on under another name there says nothing of what is there under the new one. */
export const isCalledOtherwise =
  (before: RemoteRow['organizationMap'], after: RemoteRow['organizationMap']) =>
  (organization: string): boolean =>
    nameKey(organizationThere(before, organization)) !== nameKey(organizationThere(after, organization))

function sameKind(row: RemoteRow, place: Place): Place {
  if (place.kind === row.kind) return place
  throw new Problem(
    'invalid',
    `${row.name} is a ${row.kind === 'http' ? 'registry' : 'folder'}, and this is none.`,
    'Add it as a remote of its own.'
  )
}

function refuseTokenOfFolder({ kind }: Place, token: string | undefined): void {
  if (kind === 'folder' && token)
    throw new Problem('invalid', 'A folder takes no token.', 'Its own rights say who may read and write it.')
}

/** Who can only say where a remote is must not get to have its token sent there. */
function refuseTokenElsewhere(row: RemoteRow, place: Place): void {
  if (row.kind === 'folder' || new URL(row.location).origin === new URL(place.location).origin) return
  throw new Problem(
    'invalid',
    `The token of ${row.name} is for ${new URL(row.location).host}, and is not sent anywhere else.`,
    'Give the token again together with the new address.'
  )
}
