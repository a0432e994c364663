import { z } from 'zod'
import { name, versionRef } from './words.ts'

/** What a person answers where two sides differ and neither may be overwritten silently. */
export const conflictChoices = [
  /** Both stay as they are, and are not asked of again while they do. */
  'keep-both',
  /** The one there is taken over here. */
  'theirs',
  /** The one here goes there. Of released bytes never offered. */
  'ours',
  /** The one here becomes a version of its own, with the next number, and that one is published. */
  'new-version'
] as const
export type ConflictChoice = (typeof conflictChoices)[number]

/** Something both sides have, each in its own way. */
export interface SyncConflict {
  readonly key: string
  /** What is different, and since when. */
  readonly sentence: string
  readonly choices: readonly { readonly choice: ConflictChoice; readonly sentence: string }[]
  /** Chosen already. */
  readonly chosen: ConflictChoice | null
}

/** One thing that will be done, in the order it is done. */
export interface SyncStepView {
  readonly key: string
  readonly kind: SyncStepKind
  readonly sentence: string
  /** That go over the line; 0 for most. */
  readonly bytes: number
  /** Whether the person may leave it out. What others need cannot be. */
  readonly optional: boolean
  readonly leftOut: boolean
}

export const syncStepKinds = [
  'create-box',
  'change-box',
  'create-version',
  'change-version',
  'create-image',
  'change-image',
  'put-bytes',
  'release',
  'revoke',
  'remove-image',
  'remove-version',
  'remove-box'
] as const
export type SyncStepKind = (typeof syncStepKinds)[number]

/** What would be done between here and a remote for one box. */
export interface SyncPlanView {
  readonly remoteId: number
  readonly direction: 'publish' | 'pull'
  readonly organization: string
  readonly box: string
  readonly steps: readonly SyncStepView[]
  readonly conflicts: readonly SyncConflict[]
  /** What the person should know: what stays as it is, and why. */
  readonly notes: readonly string[]
  /** Whether something stays at the target that was removed at the source, and would go too with removals. */
  readonly removable: boolean
  readonly bytes: number
  /** null: as both are now. Else the remote does not answer, and this is as it was seen then (0: never). */
  readonly asSeenAt: number | null
  /** Why it does not answer. */
  readonly unreachable: readonly string[] | null
}

/** Which images of a box are worth their bytes; the others are known and not fetched. */
export const imageFilter = z.strictObject({
  /** Of the newest so many released versions that have such an image; null for all. */
  newest: z.number().int().min(0).max(10_000).nullable(),
  prereleases: z.boolean(),
  /** Empty for every one. */
  providers: z.array(name).max(100),
  architectures: z.array(name).max(100),
  /** Larger files are known and not fetched; null for no limit. */
  largestBytes: z.number().int().min(0).nullable()
})
export type ImageFilter = z.infer<typeof imageFilter>

/** What is to be brought from here to a remote, or from there to here. */
export const syncRequest = z.strictObject({
  direction: z.enum(['publish', 'pull']),
  remoteId: z.number().int().min(1),
  organization: name,
  box: name,
  /** One alone; absent for all. */
  version: name.optional(),
  /** One image of that version alone. */
  image: z.strictObject({ provider: name, architecture: name }).optional(),
  /** Publishing: whether what is released here is released there. Absent: it is. */
  release: z.boolean().optional(),
  /** Publishing: removes there what was removed here. Absent: never. */
  withRemovals: z.boolean().optional(),
  /** By a mirror rule: neither listed there nor found, so that with removals the box here goes as a whole. */
  gone: z.boolean().optional(),
  /** Pulling: which images are fetched with their bytes. Absent: all. */
  images: z.enum(['all', 'none']).optional(),
  /** Pulling by a mirror rule: of all images, those that are fetched with their bytes. Absent: all. */
  filter: imageFilter.optional(),
  /** Keys of steps that are left out. */
  leftOut: z.array(name).max(10_000).optional(),
  choices: z.record(name, z.enum(conflictChoices)).optional(),
  /** Only what follows from the choices is done, and nothing else that is different. */
  choicesAlone: z.boolean().optional()
})
export type SyncRequest = z.infer<typeof syncRequest>

export const fetchRequest = versionRef.extend({ provider: name, architecture: name })
