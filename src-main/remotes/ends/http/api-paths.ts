import type { ImageName } from '../../../domain/sync/snapshot.ts'
import type { Tag } from '../../end.ts'

/** The versions of the API that are spoken. */
export type ApiVersion = 'v1' | 'v2'

const segment = (name: string): string => `/${encodeURIComponent(name)}`

/** Longer ones are no names anywhere. */
const longestName = 300

/** Whether a name can be part of a path: those of dots alone lead elsewhere, however they are written. */
export const canBeAsked = (name: string): boolean =>
  name !== '' && name.length <= longestName && !/^\.{1,2}$/.test(name) && !/\p{C}/u.test(name)

/** Where things are. v1 knows no architectures: there, a provider is the one image of its name. */
export function apiPaths(version: ApiVersion) {
  const root = `/api/${version}`
  const box = ({ organization, name }: Tag): string => `${root}/box${segment(organization)}${segment(name)}`
  const one = (tag: Tag, number: string): string => `${box(tag)}/version${segment(number)}`
  const image = (tag: Tag, { version: number, provider, architecture }: ImageName): string =>
    `${one(tag, number)}/provider${segment(provider)}${version === 'v2' ? segment(architecture) : ''}`
  return {
    authenticate: `${root}/authenticate`,
    /** A Boxyard then tells of each box no more than a listing needs; others tell everything all the same. */
    user: (organization: string): string => `${root}/user${segment(organization)}?boxes=stamps`,
    boxes: `${root}/boxes`,
    box,
    versions: (tag: Tag): string => `${box(tag)}/versions`,
    version: one,
    release: (tag: Tag, number: string): string => `${one(tag, number)}/release`,
    revoke: (tag: Tag, number: string): string => `${one(tag, number)}/revoke`,
    images: (tag: Tag, number: string): string => `${one(tag, number)}/providers`,
    image,
    upload: (tag: Tag, name: ImageName): string => `${image(tag, name)}/upload`,
    directUpload: (tag: Tag, name: ImageName): string => `${image(tag, name)}/upload/direct`
  }
}

export type ApiPaths = ReturnType<typeof apiPaths>
