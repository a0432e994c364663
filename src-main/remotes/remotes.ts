import type { NewRemote, Remote, RemoteChanges, RemoteFinding } from '../contract/remotes.ts'
import type { Events } from '../catalog/events.ts'
import { nameKey } from '../domain/names.ts'
import { Problem } from '../domain/problem.ts'
import type { Log } from '../log.ts'
import type { Db } from '../store/open.ts'
import { remoteTable, type RemoteRow, type RemoteTable } from '../store/remotes.ts'
import { settingsTable } from '../store/settings.ts'
import { write } from '../store/write.ts'
import type { Keychain } from '../vault/keychain.ts'
import { orAborted, whileNotAborted } from './aborting.ts'
import {
  identityForNobody,
  isCalledOtherwise,
  isReachedOtherwise,
  isSamePlace,
  wayAfter,
  wayToNew
} from './checks.ts'
import type { Access, End, Introduction, Tag } from './end.ts'
import { openEnd } from './ends/open-end.ts'
import { RemoteFailure } from './failure.ts'
import { RemoteHealths } from './health.ts'
import { organizationHere, organizationThere, suggestedName, type Place } from './naming.ts'
import { OpenEnds } from './open-ends.ts'
import { refuseOwnFolder } from './own-folder.ts'
import { forPerson } from './problems.ts'
import { givenToken, RemoteTokens } from './tokens.ts'
import { checkPlainHttp } from './trust.ts'

/** A remote that answers and is the one it was, ready to be worked with; to be closed by who opened it. */
export interface OpenRemote {
  readonly id: number
  readonly name: string
  readonly end: End
  /** How a box here is called there, and the other way round. */
  readonly there: (tag: Tag) => Tag
  readonly here: (tag: Tag) => Tag
}

/** Reaches a remote; only tests give another one. */
type Reach = typeof openEnd

/** A person waits for it. */
const testPatience = 30_000
const usualCheckMinutes = 30

/** The list of remotes: adding, trying, changing and removing them, their tokens, and how they do. */
export class Remotes {
  readonly #db: Db
  readonly #events: Events
  readonly #now: () => number
  readonly #reach: Reach
  readonly #rows: RemoteTable
  readonly #tokens: RemoteTokens
  readonly #health: RemoteHealths
  readonly #open: OpenEnds

  constructor(parts: {
    db: Db
    keychain: Keychain
    events: Events
    log: Log
    now?: () => number
    reach?: Reach
  }) {
    this.#db = parts.db
    this.#events = parts.events
    this.#now = parts.now ?? Date.now
    this.#reach = parts.reach ?? openEnd
    this.#rows = remoteTable(parts.db)
    this.#tokens = new RemoteTokens(parts)
    const onChange = (id: number): void => this.#changed(id)
    this.#health = new RemoteHealths({ rows: this.#rows, log: parts.log, now: this.#now, onChange })
    this.#open = new OpenEnds(this.#now)
  }

  async list(): Promise<Remote[]> {
    const rows = this.#rows.all()
    const standings = this.#rows.standings()
    return Promise.all(rows.map((row) => this.#remoteOf(row, standings.get(row.id))))
  }

  /** Waits until it is known of each token where it is: for who shows a list once, and not again when it is another. */
  async tokensFound(): Promise<void> {
    await Promise.all(this.#rows.all().map((row) => this.#tokens.find(row)))
  }

  async find(id: number): Promise<Remote | null> {
    const row = this.#rows.find(id)
    return row && this.#remoteOf(row)
  }

  /** By its name without regard to case, or its number. Problem 'missing' with the names there are. */
  async named(name: string): Promise<Remote> {
    const row =
      this.#rows.findByKey(nameKey(name)) ?? (/^\d{1,15}$/.test(name) ? this.#rows.find(Number(name)) : null)
    if (row) return this.#remoteOf(row)
    const names = this.#rows.all().map((other) => other.name)
    throw new Problem(
      'missing',
      `There is no remote "${name}".`,
      names.length === 0
        ? 'There is none at all yet; `boxyard remote add` adds one.'
        : `There is: ${names.slice(0, 20).join(', ')}${names.length > 20 ? ', …' : ''}.`
    )
  }

  async test(input: NewRemote): Promise<RemoteFinding> {
    const { access, introduction } = await this.#try(input, false)
    const { api, account, organizations, what, notes } = introduction
    const { kind, location } = access
    return { kind, location, api, account, organizations, what, notes, suggestedName: this.#suggest(access) }
  }

  async add(input: NewRemote): Promise<Remote> {
    this.#refuseTakenName(input.name)
    const { access, introduction } = await this.#try(input, true)
    const { kind, location, allowPlainHttp, certificates } = access
    const given = givenToken(input.token)
    const tokenName = given === null ? null : await this.#tokens.keep(given)
    const now = this.#now()
    const row = {
      ...introduced(introduction),
      ...{ kind, location, allowPlainHttp, certificates, tokenName },
      organizationMap: input.organizationMap ?? {},
      checkMinutes: input.checkMinutes === undefined ? usualCheckMinutes : input.checkMinutes,
      ...({ health: 'fine', healthNote: null, checkedAt: now, createdAt: now } as const)
    }
    const id = await this.#orForget(tokenName, () => {
      this.#refuseTakenName(input.name)
      const name = input.name ?? this.#suggest(access)
      return this.#rows.insert({ ...row, name }, nameKey(name))
    })
    this.#changed(id)
    return this.#remoteOf(this.#row(id))
  }

  async change(id: number, wanted: RemoteChanges): Promise<Remote> {
    const row = this.#row(id)
    const given = givenToken(wanted.token)
    const changes = { ...wanted, ...(wanted.token !== undefined && { token: given ?? '' }) }
    this.#refuseTakenName(changes.name, id)
    const hasToken = row.tokenName !== null || this.#tokens.inEnvironment(row.name) !== null
    const way = await forPerson(() => wayAfter(row, changes, hasToken))
    refuseOwnFolder(this.#db, way)
    const found =
      isReachedOtherwise(row, way, changes) || changes.acceptIdentity
        ? await this.#introduce(async () => ({
            ...way,
            api: null,
            setUp: changes.acceptIdentity ?? false,
            token: changes.token === undefined ? await this.#tokenOf(row) : given
          }))
        : null
    const isRight =
      !found ||
      found.identity === row.identity ||
      (changes.token !== undefined && isSamePlace(found.identity, row.identity)) ||
      changes.acceptIdentity
    if (!isRight) await forPerson(() => refuseAnother(row, found))
    const renewed = given === null ? null : await this.#tokens.keep(given)
    const tokenName = changes.token === undefined ? row.tokenName : renewed
    const { name, organizationMap, checkMinutes } = changes
    await this.#orForget(renewed, () => {
      const before = this.#row(id)
      this.#refuseTakenName(name, id)
      const more = {
        ...(name !== undefined && { name }),
        ...(organizationMap && { organizationMap }),
        // Also of a row whose names nobody could read: they are what the person has seen.
        ...(changes.acceptIdentity && !organizationMap && { organizationMap: before.organizationMap }),
        ...(checkMinutes !== undefined && { checkMinutes }),
        ...(changes.token === '' && { account: null, identity: identityForNobody(row.identity) }),
        ...(found && {
          ...introduced(found),
          ...({ health: 'fine', healthNote: null, checkedAt: this.#now() } as const)
        })
      }
      this.#rows.change(id, { ...way, ...more, tokenName }, name === undefined ? undefined : nameKey(name))
      if (found && found.identity !== before.identity) this.#rows.forgetBoxes(id)
      else if (organizationMap)
        this.#rows.forgetOrganizations(id, isCalledOtherwise(before.organizationMap, organizationMap))
    })
    if (row.tokenName !== null && row.tokenName !== tokenName) await this.#tokens.forget(row.tokenName)
    this.#open.drop(id)
    if (found) this.#health.forget(id)
    this.#changed(id)
    return this.#remoteOf(this.#row(id))
  }

  /** Null, or why its token may still be in the keychain. */
  async remove(id: number): Promise<string | null> {
    const row = this.#row(id)
    this.#rows.remove(id)
    this.#open.drop(id)
    this.#health.forget(id)
    this.#changed(id)
    return row.tokenName === null ? null : this.#tokens.forget(row.tokenName)
  }

  /** Throws a RemoteFailure: it does not answer, is another one, or may not be asked before `pausedUntil`. */
  async open(id: number, signal: AbortSignal): Promise<OpenRemote> {
    const row = this.#rows.find(id)
    if (!row)
      throw this.#health.noNews(
        new RemoteFailure('missing', ['This remote has been removed.', 'Add it again to go on with it.'])
      )
    this.#health.asking(row)
    const { name, organizationMap: map } = row
    try {
      const end = await this.#open.take(id, () => this.#reachKnown(row, signal))
      return {
        ...{ id, name, end },
        there: (tag) => ({ ...tag, organization: organizationThere(map, tag.organization) }),
        here: (tag) => ({ ...tag, organization: organizationHere(map, tag.organization) })
      }
    } catch (error) {
      if (error instanceof RemoteFailure && !signal.aborted) this.failed(id, error)
      throw error
    }
  }

  /** To be told of what work with a remote came to: how it does follows from it, and whether it is asked again soon. */
  answered(id: number): void {
    this.#health.answered(id)
  }

  failed(id: number, failure: RemoteFailure): void {
    // The next one finds out from the beginning who answers there.
    if (this.#health.failed(id, failure)) this.#open.drop(id)
  }

  /** A person wants it asked at once, also if it failed and was to be left alone for longer. */
  urge(id: number): void {
    this.#health.urged(id)
  }

  /** Until when it is not to be asked, because it failed again and again; null when it may be. */
  pausedUntil(id: number): number | null {
    return this.#health.pausedUntil(id)
  }

  /** Ends what is kept open for the next one. */
  async close(): Promise<void> {
    await this.#open.close()
  }

  /**
   * Looks who is there, having checked all that was given. A token of the environment is for a name that was said. An empty
   * folder becomes a remote only where it is set up.
   */
  async #try(
    input: NewRemote,
    setUp: boolean
  ): Promise<{ readonly access: Access; readonly introduction: Introduction }> {
    const way = await forPerson(() => wayToNew(input))
    refuseOwnFolder(this.#db, way)
    const ofEnvironment = input.name === undefined ? null : this.#tokens.inEnvironment(input.name)
    const access = { ...way, api: null, token: givenToken(input.token) ?? ofEnvironment }
    const introduction = await this.#introduce(() => ({ ...access, setUp }))
    const own = settingsTable(this.#db).get('registryId')
    if (own !== null && introduction.identity.includes(own))
      throw new Problem(
        'invalid',
        'What answers there is this very Boxyard.',
        'A remote is another one; boxes are here already.'
      )
    return { access, introduction }
  }

  /** For a person who waits. */
  #introduce(access: () => Access | Promise<Access>): Promise<Introduction> {
    return forPerson(async () => {
      const { end, introduction } = await this.#reach(await access(), AbortSignal.timeout(testPatience))
      await end.close()
      return introduction
    })
  }

  async #reachKnown(row: RemoteRow, signal: AbortSignal): Promise<End> {
    const { kind, location, api, allowPlainHttp, certificates } = row
    checkPlainHttp(location, allowPlainHttp)
    const token = await orAborted(signal, this.#tokenOf(row))
    // Others may go on with this end after the one who opened it was stopped.
    const { end, introduction } = await whileNotAborted(signal, (reaching) =>
      this.#reach({ kind, location, api, token, allowPlainHttp, certificates }, reaching)
    )
    if (introduction.identity !== row.identity) {
      await end.close()
      refuseAnother(row, introduction)
    }
    this.#health.introduced(row.id, introduced(introduction))
    return end
  }

  async #tokenOf(row: RemoteRow): Promise<string | null> {
    const { secret, place, note } = await this.#tokens.find(row)
    if (place !== 'lost') return secret
    throw new RemoteFailure('unauthorized', [
      `The token of ${row.name} cannot be had now.`,
      ...(note === null ? [] : [note])
    ])
  }

  /** Writes; a token that was kept for what then is not written is taken back. */
  async #orForget<T>(tokenName: string | null, work: () => T): Promise<T> {
    try {
      return write(this.#db, work)
    } catch (error) {
      if (tokenName !== null) await this.#tokens.forget(tokenName)
      throw error
    }
  }

  #suggest(place: Place): string {
    return suggestedName(place, (key) => this.#rows.findByKey(key) !== null)
  }

  #refuseTakenName(name: string | undefined, but?: number): void {
    const other = name === undefined ? null : this.#rows.findByKey(nameKey(name))
    if (other && other.id !== but)
      throw new Problem('invalid', `There is a remote called ${other.name} already.`, 'Choose another name.')
  }

  #row(id: number): RemoteRow {
    const row = this.#rows.find(id)
    if (!row) throw new Problem('missing', 'There is no such remote any more.')
    return row
  }

  async #remoteOf(row: RemoteRow, standings = this.#rows.standings().get(row.id)): Promise<Remote> {
    const { tokenName, certificates, identity: _, ...shown } = row
    const onLate = (): void => this.#changed(row.id)
    const { place, note } = await this.#tokens.where({ name: row.name, tokenName }, onLate)
    return {
      ...shown,
      hasCertificates: certificates !== null,
      token: place,
      tokenNote: note,
      pausedUntil: this.pausedUntil(row.id),
      standings: standings ?? {}
    }
  }

  #changed(id: number): void {
    this.#events.emit('remote-changed', { id })
  }
}

const introduced = ({ api, identity, account, organizations }: Introduction) => ({
  ...{ api, identity, account, organizations }
})

function refuseAnother({ name }: RemoteRow, { what }: Introduction): never {
  throw new RemoteFailure('another', [
    `Something else answers now where ${name} was: ${what}.`,
    'Nothing is done with it until you say that it is the right one.'
  ])
}
