import type { Standing } from '../../contract/remotes.ts'
import { compareSides } from '../../domain/sync/standing.ts'
import type { Db } from '../../store/open.ts'
import { keyOf, type StandingTable } from '../../store/standings.ts'
import { write } from '../../store/write.ts'
import type { End, Tag } from '../end.ts'
import type { OpenRemote } from '../remotes.ts'

/** Reads a box at both sides, and notes how it stands. */
export class Comparing {
  readonly #db: Db
  readonly #standings: StandingTable
  readonly #local: Pick<End, 'read'>
  readonly #now: () => number

  constructor(parts: { db: Db; standings: StandingTable; local: Pick<End, 'read'>; now: () => number }) {
    this.#db = parts.db
    this.#standings = parts.standings
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
    const base = this.#standings.base(remote.id, key)
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
    write(this.#db, () =>
      this.#standings.put(
        {
          ...{ organization: tag.organization, name: tag.name, standing, differences, localStamp },
          remoteStamp: listedStamp ?? there?.stamp ?? null,
          checkedAt: this.#now()
        },
        remote.id
      )
    )
    return before?.standing !== standing
  }
}

const withoutHere = (agreed: boolean): Standing => (agreed ? 'deleted-here' : 'only-there')
const withoutThere = (agreed: boolean): Standing => (agreed ? 'deleted-there' : 'only-here')

const text = ({ organization, name }: Tag): string => `${organization}/${name}`
