import { z } from 'zod'

/** What uses the disk. Bytes of a file that several images share are counted once in sums. */
export interface StorageSummary {
  readonly dataFolder: string
  readonly diskFree: number
  readonly diskTotal: number
  /** Files that images are made of. */
  readonly files: number
  readonly bytes: number
  /** What the same images would take without sharing. */
  readonly bytesUnshared: number
  readonly databaseBytes: number
  readonly trash: { readonly entries: number; readonly bytes: number }
  readonly damagedImages: number
  /** Copies of the catalogue made here by themselves, newest first. */
  readonly catalogueBackups: readonly { readonly file: string; readonly at: number; readonly size: number }[]
}

/** A place in the picture of the disk: everything, an organization, a box or a version, with what is in it. */
export interface Usage {
  /** '' for everything, else the name. */
  readonly name: string
  readonly bytes: number
  /**
   * The largest first; the rest of them is one child named '', and its count is how many they are. Else it is how many
   * images there are whose file is here. A file they share counts once, with the oldest of them that is in this place.
   */
  readonly children: readonly { readonly name: string; readonly bytes: number; readonly count: number }[]
}

/** What a clean-up would remove, or has removed. */
export interface CleanUpReport {
  readonly files: number
  readonly leftovers: number
  readonly trash: number
  readonly bytes: number
  /** Unused as well, but too young. */
  readonly waiting: { readonly files: number; readonly bytes: number }
  /** Up to a hundred of the things, by name. */
  readonly items: readonly { readonly what: string; readonly bytes: number }[]
}

export const jobRequest = z.discriminatedUnion('job', [
  z.strictObject({ job: z.literal('verify') }),
  z.strictObject({
    job: z.literal('clean-up'),
    graceHours: z
      .number()
      .min(0)
      .max(24 * 365)
  }),
  z.strictObject({
    job: z.literal('back-up'),
    file: z.string().max(4096),
    catalogueOnly: z.boolean(),
    replace: z.boolean()
  }),
  z.strictObject({ job: z.literal('restore'), file: z.string().max(4096) })
])
export type JobRequest = z.infer<typeof jobRequest>

/** A job on the whole store: the one that runs, or the last that ended. */
export interface Job {
  readonly job: JobRequest['job']
  readonly state: 'running' | 'done' | 'failed' | 'cancelled'
  /** Whether it may be ended before it is done. */
  readonly cancellable: boolean
  readonly done: number
  /** Null while nobody knows. */
  readonly total: number | null
  /** What was found or done, a sentence each. */
  readonly sentences: readonly string[]
  /** What is wrong, a sentence each. */
  readonly problems: readonly string[]
  readonly startedAt: number
  readonly endedAt: number | null
}
