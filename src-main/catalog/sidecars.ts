import { isDeepStrictEqual } from 'node:util'
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import type { BlobDriver } from '../blobs/driver.ts'
import { checksumTypes } from '../domain/model.ts'
import { Problem } from '../domain/problem.ts'
import type { Log } from '../log.ts'
import { blobTable, type BlobTable, type BlobUse } from '../store/blob-rows.ts'
import type { Db } from '../store/open.ts'

const newestSchema = 1

const useSchema = z.object({
  organization: z.object({ name: z.string(), profile: z.string(), createdAt: z.number() }),
  box: z.object({
    name: z.string(),
    shortDescription: z.string(),
    description: z.string(),
    private: z.boolean(),
    createdAt: z.number()
  }),
  version: z.object({
    number: z.string(),
    status: z.enum(['unreleased', 'active', 'revoked']),
    description: z.string(),
    createdAt: z.number(),
    updatedAt: z.number()
  }),
  image: z.object({
    provider: z.string(),
    architecture: z.string(),
    isDefault: z.boolean(),
    checksum: z.string(),
    checksumType: z.enum(checksumTypes).nullable(),
    /** Declared for bytes that have yet to come. */
    expected: z.string().nullable(),
    createdAt: z.number()
  })
})

const sidecarSchema = z.object({
  schema: z.literal(newestSchema),
  sha256: z.string(),
  size: z.number(),
  format: z.string(),
  facts: z.record(z.string(), z.unknown()),
  uses: z.array(useSchema)
})

/** What lies beside each blob: enough to put everything it is used for back into an empty catalogue. */
export type Sidecar = z.infer<typeof sidecarSchema>

/** Reads what lies beside a blob; null when it is no sidecar. One from a newer program is refused. */
export function readSidecar(content: unknown): Sidecar | null {
  const head = z.object({ schema: z.number() }).safeParse(content)
  if (head.success && head.data.schema > newestSchema)
    throw new Problem(
      'unavailable',
      `A sidecar was written by a newer Boxyard (format ${head.data.schema}, this program knows ${newestSchema}); ` +
        'install the newer program to read it.'
    )
  const whole = sidecarSchema.safeParse(content)
  return whole.success ? whole.data : null
}

/** Keeps what lies beside each blob in step with the catalogue, some moments after each change. */
export class Sidecars {
  readonly #blobs: BlobDriver
  readonly #log: Log
  readonly #rows: BlobTable
  #running: Promise<void> | null = null
  #again = false
  #closed = false

  constructor({ db, blobs, log }: { db: Db; blobs: BlobDriver; log: Log }) {
    this.#blobs = blobs
    this.#log = log
    this.#rows = blobTable(db)
  }

  /** Has the stale ones written soon; the answer to whoever made them stale goes first. */
  kick(): void {
    this.drain().catch((error: unknown) =>
      this.#log.error('sidecars could not be written; they are tried again later', error)
    )
  }

  /** Resolves once every sidecar that was stale is written, or has been tried. */
  drain(): Promise<void> {
    if (this.#closed) return Promise.resolve()
    this.#again = true
    this.#running ??= this.#run()
    return this.#running
  }

  /** Leaves what is not written yet to the next start. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#running
  }

  describe(sha256: string): Sidecar | null {
    const blob = this.#rows.get(sha256)
    if (!blob) return null
    const { size, format } = blob
    const facts = JSON.parse(blob.facts) as Record<string, unknown>
    return {
      schema: newestSchema,
      sha256,
      size,
      format,
      facts,
      uses: this.#rows.uses(sha256).map(describeUse)
    }
  }

  async #run(): Promise<void> {
    await setImmediate()
    try {
      while (this.#again && !this.#closed) {
        this.#again = false
        await this.#writeStale()
      }
    } finally {
      this.#running = null
    }
  }

  async #writeStale(): Promise<void> {
    let sha256: string | null = ''
    while (!this.#closed && (sha256 = this.#rows.nextStale(sha256)) !== null) {
      try {
        await this.#write(sha256)
        this.#rows.markFresh(sha256)
      } catch (error) {
        this.#log.error(`the sidecar of ${sha256} could not be written; it is tried again later`, error)
      }
    }
  }

  /** Until what is written is what there is, whoever else changes or writes meanwhile. */
  async #write(sha256: string): Promise<void> {
    let written: Sidecar | null = null
    for (;;) {
      const current = this.describe(sha256)
      if (!current || isDeepStrictEqual(current, written)) return
      await this.#blobs.writeSidecar(sha256, current)
      written = current
    }
  }
}

const describeUse = (use: BlobUse): Sidecar['uses'][number] => ({
  organization: { name: use.organization, profile: use.profile, createdAt: use.organizationCreatedAt },
  box: {
    name: use.box,
    shortDescription: use.shortDescription,
    description: use.description,
    private: use.private,
    createdAt: use.boxCreatedAt
  },
  version: {
    number: use.number,
    status: use.status,
    description: use.versionDescription,
    createdAt: use.versionCreatedAt,
    updatedAt: use.versionUpdatedAt
  },
  image: {
    provider: use.provider,
    architecture: use.architecture,
    isDefault: use.isDefault,
    checksum: use.checksum,
    checksumType: use.declared.type,
    expected: use.declared.expected,
    createdAt: use.imageCreatedAt
  }
})
