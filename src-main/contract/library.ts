import { z } from 'zod'
import { name } from './words.ts'

/** What a person looks for in the library. Words follow the rules of the registry's own search. */
export const libraryQuery = z.strictObject({
  q: z.string().max(1000),
  /** Both have to hold for one image. */
  provider: name.nullable(),
  architecture: name.nullable(),
  organization: name.nullable(),
  visibility: z.enum(['any', 'public', 'private']),
  /** unreleased: has a version nobody was given yet. here: has bytes on this disk. elsewhere: has none of them. */
  state: z.enum(['any', 'unreleased', 'here', 'elsewhere']),
  /** at-remote: a mirrored one with images whose bytes only the remote has. */
  origin: z.enum(['any', 'own', 'mirrored', 'at-remote']),
  sort: z.enum(['name', 'downloads', 'created', 'updated', 'size']),
  order: z.enum(['asc', 'desc'])
})
export type LibraryQuery = z.infer<typeof libraryQuery>

/** A part of what was found: `limit` boxes from the place `offset` on. */
export const libraryWindow = z.strictObject({
  query: libraryQuery,
  offset: z.number().int().min(0),
  limit: z.number().int().min(1).max(500)
})

/** A box as a row of the library. Times are milliseconds since 1970. */
export interface BoxRow {
  readonly id: number
  readonly organization: string
  readonly name: string
  readonly shortDescription: string
  readonly private: boolean
  readonly downloads: number
  /** Of all its images on this disk, each file counted once. */
  readonly size: number
  /** Null while nothing is released. */
  readonly currentVersion: string | null
  readonly versions: number
  readonly hasUnreleased: boolean
  /** Of any version, each pair once: "virtualbox", "amd64". */
  readonly images: readonly { readonly provider: string; readonly architecture: string }[]
  /** Whether the bytes of its images are on this disk. */
  readonly here: 'all' | 'some' | 'none'
  /** Kept as a remote has it, and not changed here. */
  readonly mirrored: boolean
  /** At some remote it is another than here, as far as was seen last. One that is only here is not among them. */
  readonly outOfStep: boolean
  readonly createdAt: number
  readonly updatedAt: number
}

/** A window on what was found, and how much there is in all. */
export interface LibraryPage {
  readonly total: number
  readonly rows: readonly BoxRow[]
}

/** Ids of boxes in the order of a query, with the bytes of each: what a selection over many rows needs. */
export interface LibraryRange {
  readonly ids: readonly number[]
  readonly sizes: readonly number[]
}

/** What there is to filter by. */
export interface LibraryFacets {
  readonly organizations: readonly string[]
  readonly providers: readonly string[]
  readonly architectures: readonly string[]
}
