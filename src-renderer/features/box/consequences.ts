import type { BoxDetails, VersionDetails } from '../../../src-main/contract/boxes.ts'
import { isPrerelease } from '../../../src-main/contract/words.ts'
import { bytes, counted } from '../../app/format.ts'

export const tagOf = ({ organization, name }: Pick<BoxDetails, 'organization' | 'name'>): string =>
  `${organization}/${name}`

/** Versions come with the newest number first; a prerelease is current only where nothing else is released. */
function currentAmong(versions: readonly VersionDetails[]): string | null {
  const released = versions.filter(({ status }) => status === 'active').map(({ number }) => number)
  return released.find((number) => !isPrerelease(number)) ?? released[0] ?? null
}

/** What a release of it means, a sentence each. */
export function releaseConsequences(box: BoxDetails, number: string): string[] {
  const after = currentAmong(box.versions.map((v) => (v.number === number ? { ...v, status: 'active' } : v)))
  return [
    `Everybody who may see ${tagOf(box)} gets ${number} from now on.`,
    after === number ? 'It becomes the current version.' : `The current version stays ${after}.`,
    'This cannot be undone; a released version can only be revoked.'
  ]
}

/** What revoking it means, a sentence each. */
export function revokeConsequences(box: BoxDetails, number: string): string[] {
  const after = currentAmong(box.versions.filter((version) => version.number !== number))
  return [
    `No client finds ${number} any more, and it cannot be released again.`,
    'Its files stay downloadable by their exact addresses.',
    box.currentVersion !== number
      ? `The current version stays ${box.currentVersion}.`
      : after === null
        ? `${tagOf(box)} then has no released version, so nobody can use it until another one is released.`
        : `${after} becomes the current version.`
  ]
}

const sizeOf = (versions: readonly VersionDetails[]): number =>
  versions
    .flatMap(({ images }) => images)
    .reduce((sum, { size, state }) => sum + (state === 'here' ? (size ?? 0) : 0), 0)

/** "12 versions with 30 images, 14.2 GB" */
export function contentsOf(versions: readonly VersionDetails[]): string {
  const images = versions.reduce((sum, version) => sum + version.images.length, 0)
  const size = sizeOf(versions)
  return (
    counted(versions.length, 'version') +
    (images === 0 ? '' : ` with ${counted(images, 'image')}`) +
    (size === 0 ? '' : `, ${bytes(size)}`)
  )
}

/** What deleting the whole box means, a sentence each. */
export const removeBoxConsequences = (box: BoxDetails, mirrorOf?: string): string[] => [
  box.versions.length === 0
    ? 'It has no versions.'
    : `${contentsOf(box.versions)} ${box.versions.length === 1 ? 'goes' : 'go'} with it.`,
  ...(box.currentVersion === null ? [] : ['Clients that use it do not find it any more.']),
  ...(mirrorOf === undefined
    ? []
    : [`At ${mirrorOf} nothing is deleted. A mirror rule that is about it brings it again.`]),
  'It can be restored until a clean-up empties the trash.'
]

/** What making a mirrored box one's own means, a sentence each. */
export function forkConsequences(box: BoxDetails, mirrorOf: string): string[] {
  const known = box.versions.flatMap(({ images }) => images).filter(({ state }) => state === 'known').length
  return [
    `It can be changed here from then on, and no longer follows ${mirrorOf}: mirror rules leave it alone.`,
    ...(known === 0
      ? []
      : [
          `${counted(known, 'image')} whose file is at ${mirrorOf} alone ${known === 1 ? 'becomes an image' : 'become images'} without a file. Fetch ${known === 1 ? 'it first to keep it' : 'them first to keep them'}.`
        ]),
    'It cannot be made a mirror again, unless it is deleted here and mirrored anew.'
  ]
}

/** What deleting a version means, a sentence each. */
export function removeVersionConsequences(box: BoxDetails, version: VersionDetails): string[] {
  const size = sizeOf([version])
  const after = currentAmong(box.versions.filter(({ number }) => number !== version.number))
  return [
    version.images.length === 0
      ? 'It has no images.'
      : `${counted(version.images.length, 'image')}${size === 0 ? '' : `, ${bytes(size)},`} ${version.images.length === 1 ? 'goes' : 'go'} with it.`,
    ...(version.status === 'active' ? ['Clients that ask for it do not find it any more.'] : []),
    ...(box.currentVersion === version.number
      ? [after === null ? 'No released version is left.' : `${after} becomes the current version.`]
      : []),
    'It can be restored until a clean-up empties the trash.'
  ]
}

/** Whether clients would find something to download in it. */
export const isReleasable = ({ images }: Pick<VersionDetails, 'images'>): boolean =>
  images.some(({ state }) => state !== 'empty')

/** Whether its files are at a remote alone, so that clients are not offered it. */
const isOnlyKnown = ({ images }: Pick<VersionDetails, 'images'>): boolean =>
  images.length > 0 && images.every(({ state }) => state === 'known')

/** Why clients find nothing of a box, in a few words. */
export function nothingFound({ versions }: Pick<BoxDetails, 'versions'>): string {
  if (versions.some(({ status }) => status === 'active')) return 'No file is here yet'
  return versions.length > 0 && versions.every(({ status }) => status === 'revoked')
    ? 'All versions are revoked'
    : 'Nothing is released'
}

/** What the state of a version means, in a sentence. */
export function meaningOf(box: BoxDetails, version: VersionDetails): string {
  const { number, status } = version
  if (status === 'unreleased')
    return isReleasable(version)
      ? 'Only members of the organization see it. No client installs it before it is released.'
      : 'Only members of the organization see it. It can be released once it has a box file or an address.'
  if (status === 'revoked') return 'No client finds it any more. Its files stay at their exact addresses.'
  if (isOnlyKnown(version)) return 'Clients are offered it once one of its files is here.'
  return number === box.currentVersion
    ? 'The current version: clients that name no version get it.'
    : 'Clients that ask for it get it.'
}

/** What being private or public means. */
export const visibilityMeaning = (box: Pick<BoxDetails, 'organization' | 'private'>): string =>
  box.private
    ? `Only members of ${box.organization} find it, with a token.`
    : 'Everybody who reaches this server finds it, without a token.'
