import { z } from 'zod'
import { imageFilter } from './sync.ts'
import { everyMinutes, name } from './words.ts'

/** Which boxes of a remote are kept here too, and how much of them. */
export const mirrorRule = imageFilter.extend({
  remoteId: z.number().int().min(1),
  /** "acme/base", "acme/*", "*" + "/base-*": each star stands for any letters. As the remote names them. */
  boxes: name,
  /** Whether what is gone there goes to the trash here. Never all of it at once. */
  removeGone: z.boolean(),
  everyMinutes,
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
