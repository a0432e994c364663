import type { BlobDriver, Staged } from '../../blobs/driver.ts'
import type { ArrivalDraft } from '../../contract/arrivals.ts'
import { architectureOf } from '../../domain/arrival-plan.ts'
import { Problem } from '../../domain/problem.ts'
import type { Log } from '../../log.ts'
import type { StoredArrival } from '../../store/arrivals.ts'
import type { Place, Placing } from '../placing.ts'
import type { Drafting } from './drafting.ts'
import { factsOf, type Ledger } from './ledger.ts'

interface Parts {
  readonly ledger: Ledger
  readonly drafting: Drafting
  readonly blobs: BlobDriver
  readonly placing: Placing
  readonly maintenance: () => boolean
  /** Carried out in the transaction that publishes one: what it throws keeps that from being published. */
  readonly alsoPublish: (draft: ArrivalDraft) => void
  readonly log: Log
}

/**
 * Publishes arrivals, one after the other. That one is published is noted in the transaction that does it, so that it
 * cannot happen twice, whatever ends the program.
 */
export class ArrivalPublishing {
  readonly #parts: Parts
  /** By id, what resolves once it is published or refused. */
  readonly #underWay = new Map<string, Promise<void>>()
  #tail: Promise<void> = Promise.resolve()
  #closed = false

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Begins with those that are ready; resolves once they are published, or why not is noted. */
  async publish(ids: readonly string[]): Promise<void> {
    const begun = this.#parts.ledger.updateAll(ids, ({ state }) =>
      state === 'ready' ? { state: 'publishing', confirmed: true, problem: null } : null
    )
    for (const { id } of begun) {
      this.#tail = this.#tail
        .then(() => this.#run(id))
        .catch((error: unknown) => this.#parts.log.error(`the arrival ${id} could not be published`, error))
        .finally(() => this.#underWay.delete(id))
      this.#underWay.set(id, this.#tail)
    }
    await Promise.all(ids.map((id) => this.#underWay.get(id)))
  }

  /** Whether its bytes are where they can be published from. */
  async hasBytes({ kind, stagedId, digest }: StoredArrival): Promise<boolean> {
    if (kind === 'url') return true
    if (digest === null) return false
    for await (const { id, size } of this.#parts.blobs.staging())
      if (id === stagedId && size === digest.size) return true
    return (await this.#parts.blobs.size(digest.sha256)) === digest.size
  }

  /** What has not begun by now is begun after the next start. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#tail
  }

  async #run(id: string): Promise<void> {
    const { ledger, drafting, maintenance } = this.#parts
    const arrival = ledger.table.get(id)
    if (this.#closed || arrival?.state !== 'publishing') return
    const { problems } = drafting.plan(arrival)
    try {
      if (maintenance())
        throw new Problem(
          'unavailable',
          'Nothing can be published while the registry is in maintenance, as during a restore. Publish it once more after that.'
        )
      if (problems.length > 0) throw new Problem('invalid', ...problems)
      await this.#place(arrival)
    } catch (error) {
      await this.#note(arrival, error)
    }
  }

  async #place(arrival: StoredArrival): Promise<void> {
    const { ledger, placing, alsoPublish } = this.#parts
    const place = placeOf(arrival)
    let changed: string[] = []
    const alongside = (): void => {
      changed = ledger.published(arrival.id)
      alsoPublish(arrival.draft)
    }
    if (arrival.kind === 'url') placing.url(arrival.origin, place, alongside)
    else await placing.bytes(stagedOf(arrival), place, alongside)
    ledger.tell(changed)
  }

  /** The bytes are kept, so that the person can mend the rest; those that are gone have to come again. */
  async #note(arrival: StoredArrival, error: unknown): Promise<void> {
    const { ledger, log } = this.#parts
    if (!(error instanceof Problem)) log.error(`the arrival ${arrival.id} could not be published`, error)
    const sentences =
      error instanceof Problem
        ? error.sentences
        : ['It could not be published because of a fault in the program; its log says more.']
    const change = (await this.hasBytes(arrival))
      ? ({ state: 'ready', confirmed: false, problem: sentences } as const)
      : lost(arrival)
    ledger.note(arrival.id, ({ state }) => (state === 'publishing' ? change : null))
  }
}

/** What becomes of one whose bytes somebody has removed from the data folder. */
export const lost = ({ kind }: StoredArrival): Partial<StoredArrival> => ({
  state: 'failed',
  stagedId: null,
  digest: null,
  problem: [
    'What had been read of this file is no longer in the data folder: somebody removed it there.',
    kind === 'path' ? 'Try again to read it once more.' : 'Drop it again.'
  ]
})

function stagedOf({ id, stagedId, digest }: StoredArrival): Staged {
  if (stagedId === null || digest === null) throw new Error(`the arrival ${id} has no bytes`)
  const { size, sha256, checksums, facts } = digest
  return { id: stagedId, size, sha256, checksums, facts: factsOf(facts) }
}

function placeOf({ draft }: StoredArrival): Place {
  const { checksum, checksumType, remotes: _, ...rest } = draft
  return {
    ...rest,
    architecture: architectureOf(draft),
    checksum: checksum === '' ? null : { checksum, checksumType }
  }
}
