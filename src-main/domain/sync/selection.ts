import type { ImageFilter } from '../../contract/sync.ts'
import { compareNumbers, isPrerelease, numberFault } from '../version-number.ts'
import type { BoxSnapshot, ImageName, ImageSnapshot, VersionSnapshot } from './snapshot.ts'

/** Lets every image through. */
export const everyImage: ImageFilter = {
  newest: null,
  prereleases: true,
  providers: [],
  architectures: [],
  largestBytes: null
}

/** Says which images of a box are fetched with their bytes, as `SyncScope.fetches` wants to know it. */
export function selectImages(
  filter: ImageFilter,
  box: BoxSnapshot
): (image: ImageName, size: number | null) => boolean {
  const versions = newestVersions(filter, box)
  return (image, size) =>
    (versions === null || versions.has(image.version)) &&
    isWanted(filter, image) &&
    (filter.largestBytes === null || size === null || size <= filter.largestBytes)
}

/**
 * Those the filter counts as the newest; null for every one. A version without an image that is wanted is not counted,
 * so that one for another provider does not push out what is used; one whose images are too large is, because an older
 * one is no substitute for it.
 */
function newestVersions(filter: ImageFilter, box: BoxSnapshot): ReadonlySet<string> | null {
  if (filter.newest === null && filter.prereleases) return null
  const counted = box.versions.filter(
    (version) => isCounted(filter, version) && version.images.some((image) => isWantedFile(filter, image))
  )
  const sorted = counted.sort((a, b) => compareNumbers(b.number, a.number))
  return new Set(sorted.slice(0, filter.newest ?? undefined).map(({ number }) => number))
}

/** Without a number of versions, unreleased and revoked ones are as good as any. */
const isCounted = ({ newest, prereleases }: ImageFilter, { number, status }: VersionSnapshot): boolean =>
  (newest === null || (status === 'active' && numberFault(number) === null)) &&
  (prereleases || !isPrerelease(number))

const isWantedFile = (filter: ImageFilter, image: ImageSnapshot): boolean =>
  (image.content.kind === 'bytes' || image.content.kind === 'known') && isWanted(filter, image)

const isWanted = (
  { providers, architectures }: ImageFilter,
  image: { readonly provider: string; readonly architecture: string }
): boolean =>
  (providers.length === 0 || has(providers, image.provider)) &&
  (architectures.length === 0 || has(architectures, image.architecture))

const has = (names: readonly string[], name: string): boolean =>
  names.some((one) => one.toLowerCase() === name.toLowerCase())

/** What a filter comes to for one box. */
export interface Selected {
  /** That are to be fetched and are not here yet. */
  readonly images: number
  readonly bytes: number
  /** Whether some of those tell no size. */
  readonly unknownSize: boolean
  /** That are known and, by the filter, not fetched. */
  readonly notFetched: number
}

/** Compares a box there with the one here, null when there is none yet. */
export function selected(filter: ImageFilter, there: BoxSnapshot, here: BoxSnapshot | null): Selected {
  const fetches = selectImages(filter, there)
  const present = filesOf(here)
  const sum = { images: 0, bytes: 0, unknownSize: false, notFetched: 0 }
  for (const version of there.versions)
    for (const { provider, architecture, content } of version.images) {
      if (content.kind !== 'bytes' && content.kind !== 'known') continue
      if (present.has(imageKey(version.number, provider, architecture))) continue
      if (!fetches({ version: version.number, provider, architecture }, content.size)) {
        sum.notFetched += 1
        continue
      }
      sum.images += 1
      sum.bytes += content.size ?? 0
      sum.unknownSize ||= content.size === null
    }
  return sum
}

/** Whether a mirrored box has images whose bytes are not here, though the filter wants them. */
export const lacksSome = (filter: ImageFilter, here: BoxSnapshot): boolean =>
  selected(filter, here, here).images > 0

function filesOf(box: BoxSnapshot | null): ReadonlySet<string> {
  const files = new Set<string>()
  for (const version of box?.versions ?? [])
    for (const { provider, architecture, content } of version.images)
      if (content.kind === 'bytes') files.add(imageKey(version.number, provider, architecture))
  return files
}

const imageKey = (version: string, provider: string, architecture: string): string =>
  JSON.stringify([version, provider, architecture])
