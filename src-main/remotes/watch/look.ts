import { counted } from '../../contract/counted.ts'
import { nameFault, nameKey, tagKey } from '../../domain/names.ts'
import type { Db } from '../../store/open.ts'
import type { RemoteRow } from '../../store/remotes.ts'
import { thereStandings, type Candidate, type StandingTable } from '../../store/standings.ts'
import { write } from '../../store/write.ts'
import type { Listed, Tag } from '../end.ts'
import { RemoteFailure } from '../failure.ts'
import type { OpenRemote } from '../connections.ts'
import { breathe, portions, severally } from '../in-turns.ts'
import type { Comparing, Reading } from './comparing.ts'
import { KeySet } from '../key-set.ts'
import { blindFor, type LocalSide } from './local-side.ts'
import { organizationsOf } from './organizations.ts'

/** So many boxes of a listing, or rows, at a time: some milliseconds. */
const portion = 500
/** So many boxes are read in one look; the others are in the next one, soon after. */
const mostRead = 2000
const readAtOnce = 4
/** Each saving has to reach the disk. */
const notedAtOnce = 20

/** What a look came to. */
export interface LookReport {
  /** Whether any box stands otherwise now. */
  readonly changed: boolean
  /** Boxes that have to be read and were not, because there were too many. */
  readonly left: number
  /** What the person should know of that remote. */
  readonly notes: readonly string[]
}

/** What looks have in common. */
export interface LookParts {
  readonly db: Db
  readonly standings: StandingTable
  readonly localSide: LocalSide
  readonly comparing: Comparing
  readonly now: () => number
}

/** One look at a remote: what it lists, what changed here, and of both what has to be compared. */
export class Look {
  readonly #parts: LookParts
  readonly #remote: OpenRemote
  readonly #row: RemoteRow
  readonly #signal: AbortSignal
  /** Boxes to be compared, by their keys, and what the listing said of each. */
  readonly #suspects = new Map<string, Tag & { readonly stamp: string | null }>()
  /** What was listed of organizations here whose listing was walked. */
  readonly #listed = new Map<string, KeySet>()
  readonly #notes: string[] = []
  /** There, of which there was more to read than could be. */
  readonly #unfinished = new Set<string>()
  #left = 0
  #changed = false

  constructor(parts: LookParts, remote: OpenRemote, row: RemoteRow, signal: AbortSignal) {
    this.#parts = parts
    this.#remote = remote
    this.#row = row
    this.#signal = signal
  }

  async run(): Promise<LookReport> {
    const { standings, localSide, now } = this.#parts
    const { id } = this.#row
    const started = now()
    const { going, listed } = organizationsOf(this.#row, standings.agreedOrganizations(id))
    const before = standings.mark(id)
    const cursors: Record<string, string> = {}
    for (const here of listed) {
      const there = this.#thereOf(here)
      const cursor = await this.#walkListing(here, there, before.cursors[there] ?? null)
      if (cursor !== null) cursors[there] = cursor
    }
    const isGoing = new Set(going.map(nameKey))
    for (const here of listed) {
      const seen = this.#listed.get(here)
      const noted = await localSide.walk(
        id,
        here,
        {
          // One that is listed, and has no row, is one of those that could not be read yet.
          isNew: ({ organization, name }) =>
            isGoing.has(nameKey(here)) && seen?.has(tagKey(organization, name)) !== true,
          changed: (candidate) => this.#suspect(candidate, this.#thereOf(here))
        },
        this.#signal
      )
      this.#changed ||= noted
    }
    this.#changed = (await localSide.sweep(id, this.#signal)) || this.#changed
    await this.#compareAll()
    for (const there of this.#unfinished) delete cursors[there]
    write(this.#parts.db, () => standings.setMark(id, { at: started, cursors }))
    return { changed: this.#changed, left: this.#left, notes: this.#notes }
  }

  #thereOf(organization: string): string {
    return this.#remote.there({ organization, name: '-' }).organization
  }

  /** What to ask with next time; null when the listing has to be read again then. */
  async #walkListing(here: string, there: string, cursor: string | null): Promise<string | null> {
    const listing = await this.#list(there, cursor)
    if (listing?.unchanged) return cursor
    const seen = new KeySet()
    if (listing)
      for await (const boxes of listing.boxes)
        for (const some of portions(boxes, portion)) {
          this.#takeListed(some, there, seen)
          await breathe(this.#signal)
        }
    this.#listed.set(here, seen)
    await this.#sweepVanished(here, seen)
    return listing?.cursor() ?? null
  }

  /** Null for an organization the remote has not, which is no listing: nothing is gone for it. */
  async #list(there: string, cursor: string | null) {
    try {
      return await this.#remote.end.list(there, cursor, this.#signal)
    } catch (error) {
      if (error instanceof RemoteFailure && error.kind === 'missing') return null
      throw error
    }
  }

  #takeListed(boxes: readonly Listed[], there: string, seen: KeySet): void {
    const { db, standings, localSide, now } = this.#parts
    const named = boxes
      .filter(({ name }) => nameFault('', name) === null)
      .map((box) => ({ ...this.#remote.here(box), stamp: box.stamp }))
    for (const { organization, name } of named) seen.add(tagKey(organization, name))
    const candidates = standings.candidatesThere(this.#row.id, named)
    const onlyThere = candidates.filter(({ localStamp }) => localStamp === null)
    if (onlyThere.length > 0)
      write(db, () => {
        for (const candidate of onlyThere)
          localSide.stand(this.#row.id, candidate, candidate.agreed ? 'deleted-here' : 'only-there')
      })
    this.#changed ||= onlyThere.some(({ standing }) => standing === null)
    const blindSince = now() - blindFor
    for (const candidate of candidates) {
      if (candidate.localStamp === null) continue
      const isBlind = candidate.remoteStamp === null && (candidate.checkedAt ?? 0) >= blindSince
      if (!isBlind || candidate.standing === null) this.#suspect(candidate, there)
    }
  }

  /** To be compared; those beyond what one look reads are left to the next, which has to see the listing again. */
  #suspect({ organization, name, remoteStamp }: Candidate, there: string): void {
    const key = tagKey(organization, name)
    if (this.#suspects.has(key)) return
    if (this.#suspects.size < mostRead)
      return void this.#suspects.set(key, { organization, name, stamp: remoteStamp })
    this.#left += 1
    this.#unfinished.add(there)
  }

  /** Boxes that were there and are not listed any more: gone, unless so many are that something else is wrong. */
  async #sweepVanished(here: string, seen: KeySet): Promise<void> {
    const { standings } = this.#parts
    const vanished = await this.#vanished(here, seen)
    if (vanished.count === 0) return
    if (seen.size === 0 || vanished.count * 2 > vanished.known) {
      this.#notes.push(
        `${this.#remote.name} lists ${seen.size === 0 ? 'no boxes' : 'far fewer boxes than before'} in ` +
          `${this.#thereOf(here)}: ${vanished.count} of ${counted(vanished.known, 'box', 'boxes')} would be gone. ` +
          'Nothing is taken for deleted because of it.'
      )
      return
    }
    for (const standing of thereStandings)
      for (let after: string | null = null; ;) {
        const keys = standings.keys(this.#row.id, standing, { organization: here, after }, portion)
        after = keys.at(-1) ?? null
        if (after === null) break
        this.#noteVanished(keys.filter((key) => !seen.has(key)))
        await breathe(this.#signal)
      }
  }

  async #vanished(here: string, seen: KeySet): Promise<{ count: number; known: number }> {
    const found = { count: 0, known: 0 }
    for (const standing of thereStandings)
      for (let after: string | null = null; ;) {
        const range = { organization: here, after }
        const keys = this.#parts.standings.keys(this.#row.id, standing, range, portion)
        after = keys.at(-1) ?? null
        if (after === null) break
        found.known += keys.length
        for (const key of keys) if (!seen.has(key)) found.count += 1
        await breathe(this.#signal)
      }
    return found
  }

  #noteVanished(keys: readonly string[]): void {
    if (keys.length === 0) return
    const { db, standings, localSide } = this.#parts
    this.#changed = true
    write(db, () => {
      for (const candidate of standings.byKeys(this.#row.id, keys)) {
        const { organization, name, localStamp, agreed } = candidate
        if (localStamp === null) standings.remove(this.#row.id, tagKey(organization, name))
        else
          localSide.stand(
            this.#row.id,
            { ...candidate, remoteStamp: null },
            agreed ? 'deleted-there' : 'only-here'
          )
      }
    })
  }

  /** A box that cannot be understood is left as it stands, and does not keep the others from being read. */
  async #compareAll(): Promise<void> {
    const { comparing } = this.#parts
    let unreadable = 0
    let why: string | null = null
    let readings: Reading[] = []
    const note = (): void => {
      const changed = comparing.note(this.#remote, readings)
      readings = []
      this.#changed ||= changed
    }
    try {
      await severally([...this.#suspects.values()], readAtOnce, async ({ stamp, ...tag }) => {
        try {
          readings.push(await comparing.read(this.#remote, tag, stamp, this.#signal))
        } catch (error) {
          if (!(error instanceof RemoteFailure) || !ofOneBox.has(error.kind)) throw error
          unreadable += 1
          why ??= `${tag.organization}/${tag.name}: ${error.sentences.join(' ')}`
          this.#unfinished.add(this.#remote.there(tag).organization)
        }
        if (readings.length >= notedAtOnce) note()
        await breathe(this.#signal)
      })
    } finally {
      // What was read before a failure is as good as ever.
      note()
    }
    if (why !== null) this.#notes.push(`${counted(unreadable, 'box', 'boxes')} could not be compared. ${why}`)
  }
}

/** Failures that say nothing about the other boxes of a remote. */
const ofOneBox: ReadonlySet<RemoteFailure['kind']> = new Set([
  'odd',
  'forbidden',
  'missing',
  'refused',
  'damaged'
])
