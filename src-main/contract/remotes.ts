import { z } from 'zod'
import type { Standing } from './standings.ts'
import { everyMinutes, name } from './words.ts'

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

/** What a person says of a remote they want to add, or to try. */
export const newRemote = z.strictObject({
  location,
  token: token.optional(),
  /** PEM: trusted besides those of the system. */
  certificates: certificates.optional(),
  allowPlainHttp: z.boolean().optional(),
  name: name.optional(),
  organizationMap: organizationMap.optional(),
  checkMinutes: everyMinutes.optional()
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
  checkMinutes: everyMinutes.optional(),
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
