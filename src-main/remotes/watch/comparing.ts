import type { Standing } from '../../contract/remotes.ts'
import { agreeOn } from '../../domain/sync/agreement.ts'
import type { AgreedBox } from '../../domain/sync/snapshot.ts'
import { compareSides, type BothSides } from '../../domain/sync/standing.ts'
import type { Db } from '../../store/open.ts'
import { remoteBoxTable, type RemoteBoxTable } from '../../store/remote-boxes.ts'
import { keyOf, type StandingTable } from '../../store/standings.ts'
import { write } from '../../store/write.ts'
import type { End, Tag } from '../end.ts'
import type { OpenRemote } from '../remotes.ts'

/** Reads a box at both sides, and notes how it stands. */
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

  /**
   * `listedStamp` is what a listing said of it before this: what changes from then on is another stamp in the next one.
   * Tells whether anything is noted otherwise now.
   */
  async compare(
    remote: OpenRemote,
    tag: Tag,
    listedStamp: string | null,
    signal: AbortSignal
  ): Promise<boolean> {
    const localStamp = this.#standings.localStamp(tag.organization, tag.name)
    const tagThere = remote.there(tag)
    const there = await remote.end.read(tagThere, signal)
    const here = await this.#local.read(tag, signal)
    const key = keyOf(tag.organization, tag.name)
    const before = this.#standings.byKeys(remote.id, [key])[0]
    const base = this.#bases.baseOf(remote.id, tag)?.base ?? null
    const agreed = base !== null
    if (!there && !here) {
      if (before) write(this.#db, () => this.#standings.remove(remote.id, key))
      return before !== undefined
    }
    const { standing, differences } =
      there && here
        ? compareSides(
            { here: here.snapshot, there: there.snapshot, base },
            {
              name: remote.name,
              tag: text(tagThere),
              hereTag: text(tag),
              traits: remote.end.traits
            }
          )
        : { standing: there ? withoutHere(agreed) : withoutThere(agreed), differences: [] }
    const agreement =
      there && here && standing === 'in-step'
        ? newAgreement({ here: here.snapshot, there: there.snapshot, base }, remote)
        : null
    write(this.#db, () => {
      if (agreement) this.#bases.putBase(remote.id, tag, agreement, this.#now())
      this.#standings.put(
        {
          ...{ organization: tag.organization, name: tag.name, standing, differences, localStamp },
          remoteStamp: listedStamp ?? there?.stamp ?? null,
          checkedAt: this.#now()
        },
        remote.id
      )
    })
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

const withoutHere = (agreed: boolean): Standing => (agreed ? 'deleted-here' : 'only-there')
const withoutThere = (agreed: boolean): Standing => (agreed ? 'deleted-there' : 'only-here')

const text = ({ organization, name }: Tag): string => `${organization}/${name}`
