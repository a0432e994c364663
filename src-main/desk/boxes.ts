import type { BoxDetails, ImageDetails, VersionDetails } from '../contract/boxes.ts'
import type { BoxRef, ImageRef, VersionRef } from '../contract/words.ts'
import type { Boxes } from '../catalog/boxes.ts'
import type { Downloads } from '../catalog/downloads.ts'
import type { Images } from '../catalog/images.ts'
import { renderMarkdown } from '../catalog/markdown.ts'
import type { Trash, Deleted } from '../catalog/trash.ts'
import type { Upkeep } from '../catalog/upkeep/upkeep.ts'
import type { Versions } from '../catalog/versions.ts'
import { operator, type BoxWithVersions, type Image, type Version } from '../domain/model.ts'
import { descriptionFault, refuseFaults } from '../domain/texts.ts'
import { nextNumberAfter } from '../domain/version-number.ts'
import type { HandlersOf } from './handlers.ts'

interface Needs {
  readonly boxes: Boxes
  readonly versions: Versions
  readonly images: Images
  readonly downloads: Downloads
  readonly trash: Trash
  readonly upkeep: Upkeep
}

type Areas = 'box' | 'version' | 'image' | 'trash' | 'text'

/** Boxes with their versions and images, for the person at this machine. */
export function boxesHandlers({
  boxes,
  versions,
  images,
  downloads,
  trash,
  upkeep
}: Needs): HandlersOf<Areas> {
  const shown = (box: BoxWithVersions): BoxDetails => boxDetails(box, images.soundness(box.id))
  const at = ({ organization, box }: BoxRef): [typeof operator, string, string] => [
    operator,
    organization,
    box
  ]
  const versionAt = (ref: VersionRef): [typeof operator, string, string, string] => [...at(ref), ref.version]
  /** From the box as it is now, so that there is one way in which a version or image is shown. */
  const versionNow = (ref: BoxRef, number: string): VersionDetails => {
    const found = shown(boxes.read(...at(ref))).versions.find((version) => version.number === number)
    if (!found) throw new Error(`version ${number} was changed and is not there`)
    return found
  }
  const imageNow = (ref: VersionRef, { provider, architecture }: Image): ImageDetails => {
    const found = versionNow(ref, ref.version).images.find(
      (image) => image.provider === provider && image.architecture === architecture
    )
    if (!found) throw new Error(`image ${provider}/${architecture} was changed and is not there`)
    return found
  }

  return {
    'box.read': (ref) => shown(boxes.read(...at(ref))),
    'box.nameNow': ({ id, createdAt }) => {
      const [box] = boxes.byIds([id])
      return box?.createdAt === createdAt ? { organization: box.organization, box: box.name } : null
    },
    'box.create': ({ organization, box, changes }) =>
      shown(boxes.create(operator, { ...changes, organization, name: box })),
    'box.change': ({ changes, ...ref }) => shown(boxes.update(...at(ref), changes)),
    'box.remove': (ref) => removed(boxes.remove(...at(ref))),
    'box.downloads': ({ days, ...ref }) => downloads.ofDays(...at(ref), days),

    'version.create': ({ version, description, likeVersion, ...ref }) => {
      versions.create(...at(ref), {
        number: version,
        ...(description !== undefined && { description }),
        like: likeVersion
      })
      return versionNow(ref, version)
    },
    'version.change': ({ changes, ...ref }) =>
      versionNow(ref, versions.update(...versionAt(ref), changes).number),
    'version.release': (ref) => versionNow(ref, versions.release(...versionAt(ref)).number),
    'version.revoke': (ref) => versionNow(ref, versions.revoke(...versionAt(ref)).number),
    'version.remove': (ref) => removed(versions.remove(...versionAt(ref))),

    'image.create': ({ changes, ...ref }) => {
      const { provider, architecture } = ref
      return imageNow(ref, images.create(operator, ref, { provider, architecture, ...changes }))
    },
    'image.change': async ({ changes, ...ref }) => imageNow(ref, await images.update(operator, ref, changes)),
    'image.remove': (ref) => removed(images.remove(operator, ref)),
    'image.verify': (ref) => verify(images.read(operator, ref), ref, upkeep),

    'trash.list': () => trash.list(),
    'trash.restore': async ({ id }) => ({ what: await trash.restoreInParts(operator, id) }),
    'text.preview': ({ markdown }) => {
      // Of more than can be saved, rendering takes so long that everybody else has to wait.
      refuseFaults([descriptionFault(markdown)])
      return { html: renderMarkdown(markdown) }
    }
  }
}

const removed = ({ trashId, what }: Deleted<unknown>): { trashId: number; what: string } => ({
  trashId,
  what
})

async function verify(
  { blob }: Image,
  { provider, architecture }: ImageRef,
  upkeep: Upkeep
): Promise<{ sound: boolean; sentence: string }> {
  if (blob === null)
    return {
      sound: false,
      sentence: `There are no bytes for ${provider} on ${architecture} on this disk to verify.`
    }
  const { problems } = await upkeep.verify({ blob })
  return problems.length === 0
    ? { sound: true, sentence: 'Every byte is as it was stored.' }
    : { sound: false, sentence: problems.join(' ') }
}

type Soundnesses = ReturnType<Images['soundness']>
type Soundness = NonNullable<ReturnType<Soundnesses['get']>>

const boxDetails = (box: BoxWithVersions, soundness: Soundnesses): BoxDetails => ({
  id: box.id,
  organization: box.organization,
  name: box.name,
  shortDescription: box.shortDescription,
  description: box.description,
  descriptionHtml: box.descriptionHtml,
  private: box.private,
  downloads: box.downloads,
  currentVersion: box.currentVersion?.number ?? null,
  nextVersion: nextNumberAfter(box.versions[0]?.number ?? null),
  createdAt: box.createdAt,
  updatedAt: box.updatedAt,
  versions: box.versions.map((version) => versionDetails(version, soundness))
})

const versionDetails = (version: Version, soundness: Soundnesses): VersionDetails => ({
  number: version.number,
  status: version.status,
  description: version.description,
  descriptionHtml: version.descriptionHtml,
  createdAt: version.createdAt,
  updatedAt: version.updatedAt,
  images: version.images.map((image) => imageDetails(image, soundness))
})

function stateOf({ url, blob, known }: Image, soundness: Soundness | undefined): ImageDetails['state'] {
  if (url !== null) return 'external'
  if (blob !== null) return soundness?.damaged ? 'damaged' : 'here'
  return known === null ? 'empty' : 'known'
}

function imageDetails(image: Image, soundness: Soundnesses): ImageDetails {
  const known = soundness.get(image.id)
  return {
    provider: image.provider,
    architecture: image.architecture,
    isDefault: image.isDefault,
    state: stateOf(image, known),
    url: image.url,
    checksum: image.checksum,
    checksumType: image.checksumType,
    size: image.size,
    verifiedAt: known?.verifiedAt ?? null,
    createdAt: image.createdAt,
    updatedAt: image.updatedAt
  }
}
