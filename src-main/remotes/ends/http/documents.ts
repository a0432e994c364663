import { z } from 'zod'
import { architectureFault, unknownArchitecture } from '../../../domain/architecture.ts'
import { checksumTypes, type ChecksumType, type VersionStatus } from '../../../domain/model.ts'
import { nameFault } from '../../../domain/names.ts'
import type {
  BoxSnapshot,
  Checksums,
  Content,
  ImageSnapshot,
  VersionSnapshot
} from '../../../domain/sync/snapshot.ts'
import { numberFault, numberKey } from '../../../domain/version-number.ts'
import type { Listed } from '../../end.ts'

/** Far more than any box has, and as much as can be compared in a moment. */
const mostVersions = 10_000
const mostImages = 20_000

/** Text that may be missing, or something else altogether: then there is none. */
const text = z.string().nullish().catch(null)
const flag = z.boolean().nullish().catch(null)

const provider = z.object({
  name: z.string(),
  architecture: text,
  default_architecture: flag,
  hosted: flag,
  // Absent is another thing than null: registries that know it set it once the bytes have arrived.
  hosted_token: z.union([z.string(), z.number(), z.null()]).optional().catch(undefined),
  original_url: text,
  download_url: text,
  checksum: text,
  checksum_type: text,
  size: z.number().int().nonnegative().nullish().catch(null)
})

const version = z.object({
  version: text,
  number: text,
  status: text,
  description: text,
  description_markdown: text,
  updated_at: text,
  providers: z.array(z.unknown()).nullish().catch(null)
})

const box = z.object({
  name: text,
  tag: text,
  created_at: text,
  updated_at: text,
  short_description: text,
  description: text,
  description_markdown: text,
  private: flag,
  // Something else in its place is no empty list: what follows from that is that all of them are gone.
  versions: z.array(z.unknown()).max(mostVersions).optional()
})

/** A provider as a registry shows it. */
export interface ShownImage extends ImageSnapshot {
  /** As it is shown, of whichever bytes; null when none of a known type is. */
  readonly checksum: { readonly type: ChecksumType; readonly value: string } | null
  readonly downloadUrl: string | null
  /** Whether it says by itself that the bytes have come: some registries never do. */
  readonly hasArrived: boolean
}

/** A version with its providers. */
export interface ShownVersion extends VersionSnapshot {
  readonly images: readonly ShownImage[]
}

/** A box, and what tells whether it has changed. */
export interface ShownBox {
  readonly snapshot: BoxSnapshot
  readonly stamp: string | null
}

/** Null for what is no box of any registry. Versions and providers whose names cannot be had here are passed over. */
export function boxOf(json: unknown): ShownBox | null {
  const parsed = box.safeParse(json)
  if (!parsed.success) return null
  const fields = parsed.data
  // Anything at all with the shape of an object would do else.
  if (!fields.tag && !fields.name) return null
  if (!areLists(fields.versions ?? [])) return null
  return {
    snapshot: {
      shortDescription: fields.short_description ?? '',
      description: fields.description ?? fields.description_markdown ?? '',
      private: fields.private ?? false,
      versions: once(fields.versions ?? [])
    },
    stamp: stampOf(fields.updated_at)
  }
}

export function versionOf(json: unknown): ShownVersion | null {
  const parsed = version.safeParse(json)
  if (!parsed.success) return null
  const { version: name, number, status, description, description_markdown, providers } = parsed.data
  const shown = name ?? number ?? ''
  if (numberFault(shown) !== null) return null
  return {
    number: shown,
    status: statusOf(status),
    description: description ?? description_markdown ?? '',
    images: withOneDefault((providers ?? []).map(imageOf).filter((one) => one !== null))
  }
}

export function imageOf(json: unknown): ShownImage | null {
  const parsed = provider.safeParse(json)
  if (!parsed.success) return null
  const fields = parsed.data
  const architecture = fields.architecture || unknownArchitecture
  if (nameFault('The provider', fields.name) !== null || architectureFault(architecture) !== null) return null
  const checksum = checksumOf(fields.checksum, fields.checksum_type)
  return {
    provider: fields.name,
    architecture,
    // Registries that know no architectures show the one that would be it.
    isDefault: fields.default_architecture ?? !fields.architecture,
    content: contentOf(fields, checksum),
    checksum,
    downloadUrl: fields.download_url || null,
    hasArrived: !!fields.hosted_token
  }
}

/** A box of a listing, of which there may be a million; null for one whose names cannot be had here. */
export function listedOf(json: unknown, organization: string): Listed | null {
  if (typeof json !== 'object' || json === null) return null
  const { name, tag, updated_at } = json as Readonly<Record<string, unknown>>
  const shown = textOf(name) ?? textOf(tag)?.split('/')[1] ?? ''
  if (nameFault('The box', shown) !== null) return null
  return { organization, name: shown, stamp: stampOf(updated_at) }
}

/** It is kept of each box: longer ones are no times, and fill the disk. */
const longestStamp = 100
const stampOf = (value: unknown): string | null => {
  const stamp = textOf(value)
  return stamp !== null && stamp.length <= longestStamp ? stamp : null
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

function contentOf(
  { hosted, hosted_token, original_url, size }: z.infer<typeof provider>,
  checksum: ShownImage['checksum']
): Content {
  const checksums: Checksums = checksum ? { [checksum.type]: checksum.value } : {}
  if (original_url && hosted !== true) return { kind: 'url', url: original_url, checksums }
  // A checksum alone tells nothing: it may have been declared for bytes that have yet to come.
  if (hosted_token === null || hosted_token === '' || hosted === false) return { kind: 'empty' }
  return { kind: 'bytes', size: size ?? null, checksums }
}

function checksumOf(
  checksum: string | null | undefined,
  type: string | null | undefined
): ShownImage['checksum'] {
  const value = checksum?.trim().toLowerCase() ?? ''
  const known = checksumTypes.find((each) => each === type?.trim().toLowerCase().replace('-', ''))
  return known && digits[known].test(value) ? { type: known, value } : null
}

const hex = (length: number): RegExp => new RegExp(`^[0-9a-f]{${length}}$`)
const digits: Readonly<Record<ChecksumType, RegExp>> = {
  md5: hex(32),
  sha1: hex(40),
  sha256: hex(64),
  sha384: hex(96),
  sha512: hex(128)
}

/** What is not known to be released is taken for unreleased: nobody is to be given it by mistake. */
function statusOf(status: string | null | undefined): VersionStatus {
  if (status === 'active' || status === 'released') return 'active'
  return status === 'revoked' ? 'revoked' : 'unreleased'
}

/** Each provider name has one default here, and an image only once, whatever the other side says. */
function withOneDefault(images: readonly ShownImage[]): ShownImage[] {
  const byName = new Map<string, ShownImage>()
  for (const image of images) {
    const key = `${image.provider} ${image.architecture}`
    if (!byName.has(key)) byName.set(key, image)
  }
  const once = [...byName.values()]
  const defaults = new Map<string, ShownImage>()
  for (const image of once)
    if (!defaults.get(image.provider) || (image.isDefault && !defaults.get(image.provider)?.isDefault))
      defaults.set(image.provider, image)
  return once.map((image) => ({ ...image, isDefault: defaults.get(image.provider) === image }))
}

/** Whether each version has a list of providers or says nothing of them, with no more in all than anybody has. */
function areLists(versions: readonly unknown[]): boolean {
  let images = 0
  for (const version of versions) {
    if (typeof version !== 'object' || version === null || !('providers' in version)) continue
    const { providers } = version
    if (!Array.isArray(providers) && providers !== null) return false
    images += providers?.length ?? 0
  }
  return images <= mostImages
}

/** A number counts once, the first time it comes. */
function once(versions: readonly unknown[]): VersionSnapshot[] {
  const byNumber = new Map<string, VersionSnapshot>()
  for (const shown of versions.map(versionOf))
    if (shown && !byNumber.has(numberKey(shown.number)))
      byNumber.set(numberKey(shown.number), plainVersion(shown))
  return [...byNumber.values()]
}

const plainVersion = ({ images, ...rest }: ShownVersion): VersionSnapshot => ({
  ...rest,
  images: images.map(({ provider, architecture, isDefault, content }) => ({
    provider,
    architecture,
    isDefault,
    content
  }))
})
