import { nameKey, tagKey } from '../../domain/names.ts'
import { changesHere } from '../../domain/sync/standing.ts'
import type { Db } from '../../store/open.ts'
import { remoteBoxTable, type RemoteBoxTable } from '../../store/remote-boxes.ts'
import { remoteTable, type RemoteRow, type RemoteTable } from '../../store/remotes.ts'
import type { Candidate, StandingTable } from '../../store/standings.ts'
import { write } from '../../store/write.ts'
import { likelyTraits, type End, type Tag } from '../end.ts'
import { organizationThere } from '../naming.ts'
import { breathe } from '../in-turns.ts'
import type { LocalSide } from './local-side.ts'
import { organizationsOf } from './organizations.ts'

/**
 * What changes here mean for standings, by what was agreed on and seen last: no remote is asked. The stamps stay, so that
 * the next look compares those boxes all the same.
 */
export class HereChanges {
  readonly #db: Db
  readonly #remotes: RemoteTable
  readonly #standings: StandingTable
  readonly #bases: RemoteBoxTable
  readonly #localSide: LocalSide
  readonly #local: Pick<End, 'read'>
  readonly #now: () => number

  constructor(parts: {
    db: Db
    standings: StandingTable
    localSide: LocalSide
    local: Pick<End, 'read'>
    now: () => number
  }) {
    this.#db = parts.db
    this.#remotes = remoteTable(parts.db)
    this.#standings = parts.standings
    this.#bases = remoteBoxTable(parts.db)
    this.#localSide = parts.localSide
    this.#local = parts.local
    this.#now = parts.now
  }

  /** Of some boxes here, at all remotes. Returns the remotes at which some stand otherwise now. */
  async note(tags: readonly Tag[], signal: AbortSignal): Promise<number[]> {
    const changed: number[] = []
    for (const remote of this.#remotes.all()) {
      const { going } = organizationsOf(remote, [])
      if (await this.#noteAt(remote, going, tags, signal)) changed.push(remote.id)
    }
    return changed
  }

  /** Of all boxes here, at a remote that does not answer. */
  async noteAll(remote: RemoteRow, signal: AbortSignal): Promise<boolean> {
    const { going, listed } = organizationsOf(remote, this.#standings.agreedOrganizations(remote.id))
    const known = this.#standings.mark(remote.id).at !== null
    const isGoing = new Set(going.map(nameKey))
    let noted = false
    for (const organization of listed) {
      const changed: Candidate[] = []
      const found = await this.#localSide.walk(
        remote.id,
        organization,
        {
          // Before the first look nobody knows what is there.
          isNew: () => known && isGoing.has(nameKey(organization)),
          changed: (candidate) => void (changed.length < mostAtOnce && changed.push(candidate))
        },
        signal
      )
      noted ||= found
      for (const candidate of changed) noted = (await this.#provisional(remote, candidate, signal)) || noted
    }
    return (await this.#localSide.sweep(remote.id, signal)) || noted
  }

  async #noteAt(
    remote: RemoteRow,
    going: readonly string[],
    tags: readonly Tag[],
    signal: AbortSignal
  ): Promise<boolean> {
    const byKey = new Map(tags.map((tag) => [tagKey(tag.organization, tag.name), tag]))
    const rows = this.#standings.byKeys(remote.id, [...byKey.keys()])
    let noted = this.#localSide.notHere(
      remote.id,
      rows.map(({ organization, name }) => tagKey(organization, name))
    )
    for (const candidate of rows) {
      byKey.delete(tagKey(candidate.organization, candidate.name))
      if (candidate.localStamp !== null) noted = (await this.#provisional(remote, candidate, signal)) || noted
    }
    if (this.#standings.mark(remote.id).at === null) return noted
    const isGoing = new Set(going.map(nameKey))
    for (const { organization, name } of byKey.values()) {
      if (!isGoing.has(nameKey(organization))) continue
      const localStamp = this.#standings.localStamp(organization, name)
      if (localStamp === null) continue
      const fresh = { organization, name, localStamp, remoteStamp: null, agreed: false }
      write(this.#db, () =>
        this.#localSide.stand(remote.id, { ...fresh, standing: null, checkedAt: null }, 'only-here')
      )
      noted = true
    }
    return noted
  }

  /** A box that was at both sides, and has changed here. */
  async #provisional(remote: RemoteRow, candidate: Candidate, signal: AbortSignal): Promise<boolean> {
    const { organization, name, standing } = candidate
    if (standing !== 'in-step' && standing !== 'ahead' && standing !== 'behind') return false
    const key = tagKey(organization, name)
    const base = this.#bases.baseOf(remote.id, { organization, name })?.base ?? null
    if (!base || this.#standings.isMoving(remote.id, key)) return false
    const here = await this.#local.read({ organization, name }, signal)
    if (!here) return false
    const differences = changesHere(here.snapshot, base, {
      name: remote.name,
      tag: `${organizationThere(remote.organizationMap, organization)}/${name}`,
      traits: likelyTraits(remote)
    })
    const now =
      differences.length === 0
        ? standing === 'ahead'
          ? 'in-step'
          : standing
        : standing === 'behind'
          ? 'apart'
          : 'ahead'
    if (now !== standing || now === 'ahead')
      write(this.#db, () => this.#standings.restand(remote.id, key, now, differences, this.#now()))
    await breathe(signal)
    return now !== standing
  }
}

/** The rest is seen when the remote answers. */
const mostAtOnce = 2000
