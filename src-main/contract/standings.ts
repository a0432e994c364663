import { z } from 'zod'

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

/** Where else a box is. */
export interface Elsewhere {
  /** Null for an own box. Else its changes come from there, and it cannot be changed here unless it is forked. */
  readonly mirrorOf: { readonly remoteId: number; readonly remoteName: string } | null
  readonly remotes: readonly RemoteBox[]
}
