import { z } from 'zod'
import { name, versionRef } from './words.ts'

/** How a remote does, as far as was seen last. */
export type RemoteHealth =
  /** It answered, and the token is good for what it is used for. */
  | 'fine'
  /** Nothing was asked of it yet. */
  | 'unknown'
  /** No answer: no network, not running, or a folder that is not there. */
  | 'unreachable'
  /** It does not take the token, or needs one. */
  | 'refused'
  /** It answers that a bill has to be paid. */
  | 'billing'
  /** Something else answers at that address now; nothing is done with it until the person says so. */
  | 'another'
  /** It answers, but with something no registry says. */
  | 'odd'

/** Where the token of a remote is. */
export type TokenPlace =
  /** There is none. */
  | 'none'
  | 'keychain'
  /** Only in memory, for this run: there is no keychain, or it is locked or refused. */
  | 'this-run'
  /** From an environment variable of the process. */
  | 'environment'
  /** One was given, and cannot be had now: keychain locked, denied or gone, or kept for a run that is over. */
  | 'lost'

/** Another place that keeps boxes: a registry somewhere, or a folder on a disk that travels. */
export interface Remote {
  readonly id: number
  readonly name: string
  readonly kind: 'http' | 'folder'
  /** The address, without the path of the API, or the folder. */
  readonly location: string
  /** Null for a folder. */
  readonly api: 'v1' | 'v2' | null
  /** Whose token it is, as the remote says; null without one. */
  readonly account: string | null
  /** Those the remote says the account has, if it says so. */
  readonly organizations: readonly string[]
  /** From the name of an organization here to its name there; others have one name. */
  readonly organizationMap: Readonly<Record<string, string>>
  readonly allowPlainHttp: boolean
  /** Whether more certificates are trusted for it. */
  readonly hasCertificates: boolean
  readonly token: TokenPlace
  /** Why it is not in the keychain, in sentences. */
  readonly tokenNote: string | null
  /** How often is looked what is out of step; null for only by hand. */
  readonly checkMinutes: number | null
  readonly health: RemoteHealth
  /** What is wrong, and what to do. */
  readonly healthNote: string | null
  readonly checkedAt: number | null
  /** Not asked before then, after it failed again and again; null when it may be asked. */
  readonly pausedUntil: number | null
  /** How many boxes stand how, by standing. */
  readonly standings: Readonly<Partial<Record<Standing, number>>>
  readonly createdAt: number
}

const location = z.string().min(1).max(4096)
const token = z.string().max(8192)
const certificates = z.string().max(1_000_000)
const organizationMap = z.record(name, name).refine((map) => Object.keys(map).length <= 1000)
const checkMinutes = z
  .number()
  .int()
  .min(1)
  .max(7 * 24 * 60)
  .nullable()

/** What a person says of a remote they want to add, or to try. */
export const newRemote = z.strictObject({
  location,
  token: token.optional(),
  /** PEM: trusted besides those of the system. */
  certificates: certificates.optional(),
  allowPlainHttp: z.boolean().optional(),
  name: name.optional(),
  organizationMap: organizationMap.optional(),
  checkMinutes: checkMinutes.optional()
})
export type NewRemote = z.infer<typeof newRemote>

/** Absent leaves what is there. "" takes a token or certificates away. */
export const remoteChanges = z.strictObject({
  name: name.optional(),
  location: location.optional(),
  token: token.optional(),
  certificates: certificates.optional(),
  allowPlainHttp: z.boolean().optional(),
  organizationMap: organizationMap.optional(),
  checkMinutes: checkMinutes.optional(),
  /** Goes on with what answers there now, though it is not the one it was. All that was agreed with it is forgotten. */
  acceptIdentity: z.boolean().optional()
})
export type RemoteChanges = z.infer<typeof remoteChanges>

/** What trying a remote found, before anything is saved. */
export interface RemoteFinding {
  readonly kind: 'http' | 'folder'
  /** As it would be kept: without a slash at the end or the path of the API. */
  readonly location: string
  readonly api: 'v1' | 'v2' | null
  readonly account: string | null
  readonly organizations: readonly string[]
  /** "Boxyard 0.1.0 on lab.example", or what else it says of itself. */
  readonly what: string
  /** A name it could have. */
  readonly suggestedName: string
  /** What the person should know: no token given, so public boxes alone; the folder is empty and will be set up … */
  readonly notes: readonly string[]
}

/** How a box here stands to the one of its name at a remote. */
export const standings = [
  'in-step',
  /** Something here is not there yet. */
  'ahead',
  /** Something there is not here yet. */
  'behind',
  /** Both have changed, or the same version has other bytes. */
  'apart',
  'only-here',
  'only-there',
  /** It was at both, and is no longer here. */
  'deleted-here',
  'deleted-there'
] as const
export type Standing = (typeof standings)[number]

/** A box and how it stands at one remote. */
export interface RemoteBox {
  readonly remoteId: number
  readonly remoteName: string
  /** As here. */
  readonly organization: string
  readonly box: string
  readonly standing: Standing
  /** What is out of step, some sentences. */
  readonly differences: readonly string[]
  /** Whether the box here is a mirror of this remote's. */
  readonly mirrored: boolean
  readonly checkedAt: number
}

export const remoteBoxQuery = z.strictObject({
  remoteId: z.number().int().min(1),
  /** Null for all but those in step. */
  standing: z.enum(standings).nullable(),
  q: z.string().max(1000),
  offset: z.number().int().min(0),
  limit: z.number().int().min(1).max(500)
})
export type RemoteBoxQuery = z.infer<typeof remoteBoxQuery>

export interface RemoteBoxPage {
  readonly total: number
  readonly rows: readonly RemoteBox[]
}

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

const id = z.number().int().min(1)

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
  remoteId: id,
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

/** Which boxes of a remote are kept here too, and how much of them. */
export const mirrorRule = imageFilter.extend({
  remoteId: id,
  /** "acme/base", "acme/*", "*" + "/base-*": each star stands for any letters. As the remote names them. */
  boxes: name,
  /** Whether what is gone there goes to the trash here. Never all of it at once. */
  removeGone: z.boolean(),
  /** How often; null for only by hand. */
  everyMinutes: checkMinutes,
  enabled: z.boolean()
})
export type MirrorRule = z.infer<typeof mirrorRule>

export interface Mirror extends MirrorRule {
  readonly id: number
  readonly remoteName: string
  readonly lastRunAt: number | null
  readonly nextRunAt: number | null
  readonly running: boolean
  /** What the last run found and queued, or why it could not. */
  readonly lastNote: string | null
  readonly lastFailed: boolean
}

/** What a mirror rule would do now. */
export interface MirrorPreview {
  readonly boxes: number
  readonly images: number
  readonly bytes: number
  /** Images that are known and, by the rule, not fetched. */
  readonly notFetched: number
  /** Up to a hundred of the boxes. */
  readonly items: readonly { readonly tag: string; readonly sentence: string; readonly bytes: number }[]
  readonly notes: readonly string[]
  /** Whether there was not the time to look at all of them. */
  readonly partial: boolean
}

/** Where else a box is. */
export interface Elsewhere {
  /** Null for an own box. Else its changes come from there, and it cannot be changed here unless it is forked. */
  readonly mirrorOf: { readonly remoteId: number; readonly remoteName: string } | null
  readonly remotes: readonly RemoteBox[]
}
