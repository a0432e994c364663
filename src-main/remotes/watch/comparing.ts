import type { Standing } from '../../contract/standings.ts'
import { tagKey } from '../../domain/names.ts'
import { agreeOn } from '../../domain/sync/agreement.ts'
import type { AgreedBox } from '../../domain/sync/snapshot.ts'
import { compareSides, type BothSides } from '../../domain/sync/standing.ts'
import type { Db } from '../../store/open.ts'
import { remoteBoxTable, type RemoteBoxTable } from '../../store/remote-boxes.ts'
import type { StandingTable } from '../../store/standings.ts'
import { write } from '../../store/write.ts'
import type { End, Seen, Tag } from '../end.ts'
import type { OpenRemote } from '../connections.ts'

/** A box as it was read at both sides. */
export interface Reading {
  readonly tag: Tag
  readonly here: Seen | null
  readonly there: Seen | null
  readonly localStamp: string | null
  readonly remoteStamp: string | null
}

/** Reads boxes at both sides, and notes how they stand. */
export class Comparing {
  readonly #db: Db
  readonly #standings: StandingTable
  readonly #bases: RemoteBoxTable
  readonly #local: Pick<End, 'read'>
  readonly #now: () => number

  constructor(parts: { db: Db; standings: StandingTable; local: Pick<End, 'read'>; now: () => number }) {
    this.#db = parts.db
    this.#standings = parts.standings
    this.#bases = remoteBoxTable(parts.db)
    this.#local = parts.local
    this.#now = parts.now
  }

  /** `listedStamp` is what a listing said of it before this: what changes from then on is another stamp in the next one. */
  async read(
    remote: OpenRemote,
    tag: Tag,
    listedStamp: string | null,
    signal: AbortSignal
  ): Promise<Reading> {
    const localStamp = this.#standings.localStamp(tag.organization, tag.name)
    const there = await remote.end.read(remote.there(tag), signal)
    const here = await this.#local.read(tag, signal)
    return { tag, here, there, localStamp, remoteStamp: listedStamp ?? there?.stamp ?? null }
  }

  /** Notes how some boxes stand, in one change. Tells whether any of them stood otherwise before. */
  note(remote: OpenRemote, readings: readonly Reading[]): boolean {
    if (readings.length === 0) return false
    return write(this.#db, () => {
      let changed = false
      for (const reading of readings) changed = this.#noteOne(remote, reading) || changed
      return changed
    })
  }

  #noteOne(remote: OpenRemote, { tag, here, there, localStamp, remoteStamp }: Reading): boolean {
    const key = tagKey(tag.organization, tag.name)
    const before = this.#standings.byKeys(remote.id, [key])[0]
    const base = this.#bases.baseOf(remote.id, tag)?.base ?? null
    if (!there && !here) {
      this.#standings.remove(remote.id, key)
      return before !== undefined
    }
    const both = here && there && { here: here.snapshot, there: there.snapshot, base }
    const { standing, differences } = both
      ? compareSides(both, {
          name: remote.name,
          tag: text(remote.there(tag)),
          hereTag: text(tag),
          traits: remote.end.traits
        })
      : { standing: atOneSide(here !== null, base !== null), differences: [] }
    const agreement = both && standing === 'in-step' ? newAgreement(both, remote) : null
    const checkedAt = this.#now()
    if (agreement) this.#bases.putBase(remote.id, tag, agreement, checkedAt)
    const { organization, name } = tag
    this.#standings.put(
      { organization, name, standing, differences, localStamp, remoteStamp, checkedAt },
      remote.id
    )
    return before?.standing !== standing
  }
}

/**
 * What both sides agree on that are in step, whoever brought them there: what is changed on one of them later is then
 * known to be a change of that one. Null when nothing of it is new.
 */
function newAgreement({ here, there, base }: BothSides, remote: OpenRemote): AgreedBox | null {
  const agreed = {
    ...(agreeOn({ here, there, base, traits: remote.end.traits }) ?? { versions: [] }),
    ...(base?.kept && { kept: base.kept })
  }
  return JSON.stringify(agreed) === JSON.stringify(base) ? null : agreed
}

const atOneSide = (isHere: boolean, agreed: boolean): Standing =>
  isHere ? (agreed ? 'deleted-there' : 'only-here') : agreed ? 'deleted-here' : 'only-there'

const text = ({ organization, name }: Tag): string => `${organization}/${name}`
