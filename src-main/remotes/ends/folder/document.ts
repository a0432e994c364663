import { z } from 'zod'
import { nameKey } from '../../../domain/names.ts'
import { checksumTypes } from '../../../domain/model.ts'
import type { BoxSnapshot } from '../../../domain/sync/snapshot.ts'
import { versionStatuses } from '../../../contract/words.ts'
import type { Tag } from '../../end.ts'
import { RemoteFailure } from '../../failure.ts'

const newestSchema = 1

/** What a person may have put there is not read into memory whatever its size. */
export const largestDocument = 64 * 1024 * 1024

const text = z.string().max(1_000_000)
const name = z.string().max(1000)
const size = z.number().int().min(0).nullable()
const checksums = z.partialRecord(z.enum(checksumTypes), z.string().regex(/^[0-9a-f]{32,128}$/))
const content = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('bytes'), size, checksums }),
  z.object({ kind: z.literal('url'), url: z.string().max(8192), checksums }),
  z.object({ kind: z.literal('known'), size, checksums }),
  z.object({ kind: z.literal('empty') })
])
const image = z.object({ provider: name, architecture: name, isDefault: z.boolean(), content })
const version = z.object({
  number: name,
  status: z.enum(versionStatuses),
  description: text,
  images: z.array(image).max(10_000)
})
const documentSchema = z.object({
  schema: z.literal(newestSchema),
  organization: name,
  name,
  createdAt: z.number(),
  changedAt: z.number(),
  box: z.object({
    shortDescription: text,
    description: text,
    private: z.boolean(),
    versions: z.array(version).max(100_000)
  })
})

/** What a folder keeps of a box, in a file of its own. */
export type BoxDocument = Omit<z.infer<typeof documentSchema>, 'box'> & { readonly box: BoxSnapshot }

export const documentOf = (
  { organization, name }: Tag,
  box: BoxSnapshot,
  times: { createdAt: number; changedAt: number }
): BoxDocument => ({
  schema: newestSchema,
  ...{ organization, name, ...times, box }
})

/** Throws a RemoteFailure for what is none, and for one of a newer program. */
export function readDocument(content: string, tag: Tag, path: string): BoxDocument {
  const parsed = json(content)
  const head = z.object({ schema: z.number() }).safeParse(parsed)
  if (head.success && head.data.schema > newestSchema)
    throw new RemoteFailure('odd', [
      `${path} was written by a newer Boxyard (format ${head.data.schema}, this program knows ${newestSchema}).`,
      'Install the newer program to read it.'
    ])
  const whole = documentSchema.safeParse(parsed)
  if (!whole.success || !isOf(whole.data, tag)) throw damaged(path)
  return whole.data
}

const isOf = ({ organization, name }: Tag, tag: Tag): boolean =>
  nameKey(organization) === nameKey(tag.organization) && nameKey(name) === nameKey(tag.name)

/** The other boxes of the folder are none the worse for it. */
export const damaged = (path: string): RemoteFailure =>
  new RemoteFailure('odd', [
    `The file ${path} is damaged: it does not describe this box.`,
    'Put a sound copy in its place, or delete it and publish the box there again.'
  ])

function json(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    return null
  }
}
