import type { Standing } from '../../contract/standings.ts'
import { tagKey } from '../../domain/names.ts'
import type { Db } from '../../store/open.ts'
import { hereStandings, type Candidate, type StandingTable } from '../../store/standings.ts'
import { write } from '../../store/write.ts'
import { breathe } from '../in-turns.ts'

/** So many rows at a time: some milliseconds. */
const portion = 500

/** Where nothing tells whether a box has changed since, it is read again after this time. */
export const blindFor = 30 * 60_000

/** How a box stands of which there is none here any more, by how it stood; null when nothing is left to say. */
const withoutHere: Readonly<Record<Standing, 'there' | 'nowhere'>> = {
  'in-step': 'there',
  ahead: 'there',
  behind: 'there',
  apart: 'there',
  'only-there': 'there',
  'deleted-here': 'there',
  'only-here': 'nowhere',
  'deleted-there': 'nowhere'
}

/** What the catalogue here alone says of standings: needs no remote, and never reads a box. */
export class LocalSide {
  readonly #db: Db
  readonly #standings: StandingTable
  readonly #now: () => number

  constructor({ db, standings, now }: { db: Db; standings: StandingTable; now: () => number }) {
    this.#db = db
    this.#standings = standings
    this.#now = now
  }

  /**
   * Goes through the boxes of an organization here. Those nothing is known of go to `onNew`, and those that have changed
   * since both sides were compared to `onChanged`; whatever is clear without looking is noted at once.
   */
  async walk(
    remoteId: number,
    organization: string,
    on: {
      readonly isNew: (candidate: Candidate) => boolean
      readonly changed: (candidate: Candidate) => void
    },
    signal: AbortSignal
  ): Promise<boolean> {
    let noted = false
    for (let after: string | null = ''; after !== null;) {
      const found = this.#standings.candidatesHere(remoteId, organization, after, {
        limit: portion,
        blindSince: this.#now() - blindFor
      })
      after = found.last
      const settled = found.candidates.filter((candidate) => {
        if (candidate.standing === null) return on.isNew(candidate)
        if (candidate.standing === 'only-here' || candidate.standing === 'deleted-there') return true
        on.changed(candidate)
        return false
      })
      if (settled.length > 0) {
        noted ||= settled.some(({ standing }) => standing === null)
        write(this.#db, () => {
          for (const candidate of settled) this.stand(remoteId, candidate, candidate.standing ?? 'only-here')
        })
      }
      await breathe(signal)
    }
    return noted
  }

  /** Finds boxes that were deleted here. */
  async sweep(remoteId: number, signal: AbortSignal): Promise<boolean> {
    let noted = false
    for (const standing of hereStandings)
      for (let after: string | null = null; ;) {
        const keys = this.#standings.keys(remoteId, standing, { organization: null, after }, portion)
        after = keys.at(-1) ?? null
        if (after === null) break
        noted = this.notHere(remoteId, keys) || noted
        await breathe(signal)
      }
    return noted
  }

  /** Notes of some tags with rows that there is no box here, where that is so. */
  notHere(remoteId: number, keys: readonly string[]): boolean {
    const gone = this.#standings.notHere(keys)
    if (gone.length === 0) return false
    write(this.#db, () => {
      for (const candidate of this.#standings.byKeys(remoteId, gone)) {
        const { organization, name, standing, agreed } = candidate
        if (standing === null || withoutHere[standing] === 'nowhere')
          this.#standings.remove(remoteId, tagKey(organization, name))
        else this.stand(remoteId, candidate, agreed ? 'deleted-here' : 'only-there')
      }
    })
    return true
  }

  /** Notes how a box stands where nothing had to be compared. */
  stand(remoteId: number, candidate: Candidate, standing: Standing): void {
    const { organization, name, remoteStamp, localStamp } = candidate
    this.#standings.put(
      { organization, name, remoteStamp, localStamp, standing, differences: [], checkedAt: this.#now() },
      remoteId
    )
  }
}
