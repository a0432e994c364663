import type { Organization } from '../access/accounts.ts'
import {
  isVersionForClients,
  type Box,
  type BoxWithVersions,
  type Image,
  type Version
} from '../domain/model.ts'
import { path, type Dialect, type ImagePlace } from './dialect.ts'

/** Turns what the services hand out into the JSON of one version of the API. */
export type Presenter = ReturnType<typeof presenter>

export function presenter(dialect: Dialect) {
  const listedProvider = (base: string, place: ImagePlace, image: Image) => ({
    name: image.provider,
    ...dialect.architectureKeys(image),
    hosted: image.url === null,
    // Whoever publishes here sees by it whether the bytes have come, those that no upload brought as well.
    hosted_token: image.hostedToken ?? (image.url === null ? image.blob : null),
    original_url: image.url,
    created_at: timestamp(image.createdAt),
    updated_at: timestamp(image.updatedAt),
    download_url: base + dialect.downloadPath(place, image),
    checksum: image.checksum,
    checksum_type: image.checksumType
  })

  const provider = (base: string, place: ImagePlace, image: Image) => ({
    ...listedProvider(base, place, image),
    size: image.blob === null ? null : image.size
  })

  const version = (
    base: string,
    organization: string,
    box: string,
    version: Version,
    show: typeof listedProvider = provider
  ) => {
    const place = { organization, box, version: version.number }
    const self = `${base}/api/${dialect.name}/box${path(organization, box)}/version${path(version.number)}`
    return {
      version: version.number,
      number: version.number,
      status: version.status,
      ...descriptions(version),
      created_at: timestamp(version.createdAt),
      updated_at: timestamp(version.updatedAt),
      release_url: `${self}/release`,
      revoke_url: `${self}/revoke`,
      providers: dialect.imagesOf(version).map((image) => show(base, place, image))
    }
  }

  /** A box as it stands in lists; search results may hold no other keys than these. */
  const listedBox = (base: string, box: Box) => ({
    created_at: timestamp(box.createdAt),
    updated_at: timestamp(box.updatedAt),
    tag: `${box.organization}/${box.name}`,
    name: box.name,
    short_description: box.shortDescription,
    ...descriptions(box),
    username: box.organization,
    private: box.private,
    downloads: box.downloads,
    current_version:
      box.currentVersion && version(base, box.organization, box.name, box.currentVersion, listedProvider)
  })

  const box = (base: string, box: BoxWithVersions) => ({
    ...listedBox(base, box),
    current_version: box.currentVersion && version(base, box.organization, box.name, box.currentVersion),
    versions: box.versions
      .filter(isVersionForClients)
      .map((each) => version(base, box.organization, box.name, each))
  })

  return { provider, version, listedBox, box }
}

/** An organization without its boxes, which are too many to hold at once. */
export const organizationFields = (organization: Organization) => ({
  username: organization.name,
  avatar_url: '',
  profile_html: organization.profileHtml,
  profile_markdown: organization.profileMarkdown
})

export const timestamp = (ms: number): string => new Date(ms).toISOString()

/** Clients print and send back `description`; the documented names are the other two. */
const descriptions = ({
  description,
  descriptionHtml
}: {
  description: string
  descriptionHtml: string
}) => ({
  description,
  description_html: descriptionHtml,
  description_markdown: description
})
