import type { ConflictChoice, SyncConflict } from '../../contract/sync.ts'
import type { AgreedBox, BoxSnapshot, BoxTexts, Checksums, ImageName } from './snapshot.ts'

/** What a step does. Carried out twice, it does no more than once. */
export type Deed =
  | { readonly kind: 'create-box'; readonly texts: BoxTexts }
  | { readonly kind: 'change-box'; readonly texts: Partial<BoxTexts> }
  | { readonly kind: 'create-version'; readonly version: string; readonly description: string }
  | { readonly kind: 'change-version'; readonly version: string; readonly description: string }
  | ({
      readonly kind: 'create-image'
      readonly isDefault: boolean
      /** Null for one whose bytes follow, or that stays empty. */
      readonly url: string | null
      /** Of those bytes, or those at the url; empty when nobody knows. */
      readonly checksums: Checksums
      /** Pulled by a rule that does not fetch it: the bytes stay at the remote, and are known here. */
      readonly known: { readonly size: number | null } | null
    } & ImageName)
  | ({
      readonly kind: 'change-image'
      readonly isDefault?: true
      readonly url?: { readonly url: string; readonly checksums: Checksums }
      readonly known?: { readonly size: number | null; readonly checksums: Checksums }
    } & ImageName)
  | ({
      readonly kind: 'put-bytes'
      readonly size: number | null
      readonly checksums: Checksums
      /** Whether others are there now, which the person chose to replace. */
      readonly replaces: boolean
      /** What they are called at the source, where that is something else: read them under this name. */
      readonly from?: ImageName
    } & ImageName)
  | { readonly kind: 'release'; readonly version: string }
  | { readonly kind: 'revoke'; readonly version: string }
  | ({ readonly kind: 'remove-image' } & ImageName)
  | { readonly kind: 'remove-version'; readonly version: string }
  | { readonly kind: 'remove-box' }

/** A deed with why it is done. */
export type Step = Deed & {
  /** The same for the same deed in any later plan: "put-bytes 1.2.0 virtualbox/amd64". */
  readonly key: string
  readonly sentence: string
  /** That go over the line; 0 for most. */
  readonly bytes: number
  /** Whether the rest of the plan makes sense without it. */
  readonly optional: boolean
}

/** What ends differ in that plans have to know of. */
export interface EndTraits {
  /** Without them there is one image for each provider: the default one. */
  readonly architectures: boolean
  /** The longest short description it takes. */
  readonly longestShortDescription: number
  /** Whether it takes boxes at all, or can only be read. */
  readonly writable: boolean
}

/** Which part of a box is meant, and what is wanted of it. */
export interface SyncScope {
  readonly version?: string
  readonly image?: { readonly provider: string; readonly architecture: string }
  /** Whether what is released at the source is released at the target. */
  readonly release: boolean
  /** Whether what was removed at the source since both agreed is removed at the target. */
  readonly withRemovals: boolean
  /** Which images are brought with their bytes; the others are known at the target and not fetched. */
  readonly fetches: (image: ImageName, size: number | null) => boolean
  /** Which versions are brought at all; released and unreleased ones alike. */
  readonly versions: (number: string) => boolean
}

/** The two sides of a box, and what both last agreed on. Null where there is no such box. */
export interface SyncSides {
  readonly source: BoxSnapshot | null
  readonly base: AgreedBox | null
  readonly target: BoxSnapshot | null
}

/** What a plan is made of. */
export interface SyncPlanInput extends SyncSides {
  readonly direction: 'publish' | 'pull'
  /** For sentences: the tag at the target, and what the target is called ("here", "Lab"). */
  readonly tag: string
  readonly remoteName: string
  /** Of the remote end, whichever side it is. */
  readonly traits: EndTraits
  readonly scope: SyncScope
  readonly choices: Readonly<Record<string, ConflictChoice>>
}

/** What has to be done at the target, and what has to be decided first. */
export interface SyncPlan {
  /** In an order in which each can be carried out. */
  readonly steps: readonly Step[]
  readonly conflicts: readonly SyncConflict[]
  readonly notes: readonly string[]
  /** Whether something stays at the target that was removed at the source, and would go too with removals. */
  readonly removable: boolean
  readonly bytes: number
}
