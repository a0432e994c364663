import type { ImageInput } from '../catalog/images.ts'
import { isForClients, type Image, type Version } from '../domain/model.ts'

/** Names of the things a path leads through. */
export interface ImagePlace {
  readonly organization: string
  readonly box: string
  readonly version: string
}

/** In what the two versions of the API differ: v1 knows no architectures, v2 names one everywhere. */
export interface Dialect {
  readonly name: 'v1' | 'v2'
  readonly knowsArchitectures: boolean
  /** What a client says of a provider, without what its version of the API does not know. */
  understood(input: ImageInput): ImageInput
  /** The images of a version as its clients may know them. */
  imagesOf(version: Version): readonly Image[]
  /** What an image says of its architecture. */
  architectureKeys(image: Image): object
  /** Where the file of an image is downloaded. */
  downloadPath(place: ImagePlace, image: Image): string
}

/** Path segments as they are safe in a URL. */
export const path = (...segments: string[]): string =>
  segments.map((s) => `/${encodeURIComponent(s)}`).join('')

const providersPath = ({ organization, box, version }: ImagePlace): string =>
  `${path(organization)}/boxes${path(box)}/versions${path(version)}/providers`

export const v1: Dialect = {
  name: 'v1',
  knowsArchitectures: false,
  understood: (input) => ({ ...input, architecture: null, isDefault: null }),
  imagesOf: ({ images }) => images.filter((image) => image.isDefault && isForClients(image)),
  architectureKeys: () => ({}),
  downloadPath: (place, image) => `${providersPath(place)}${path(image.provider)}.box`
}

export const v2: Dialect = {
  name: 'v2',
  knowsArchitectures: true,
  understood: (input) => input,
  imagesOf: ({ images }) => images.filter(isForClients),
  architectureKeys: ({ architecture, isDefault }) => ({ architecture, default_architecture: isDefault }),
  downloadPath: (place, image) =>
    `${providersPath(place)}${path(image.provider, image.architecture)}/vagrant.box`
}
