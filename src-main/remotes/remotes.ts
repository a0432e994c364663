import type { NewRemote, Remote, RemoteChanges, RemoteFinding } from '../contract/remotes.ts'
import type { Events } from '../catalog/events.ts'
import type { Mirrored } from '../catalog/mirrored.ts'
import { nameKey } from '../domain/names.ts'
import { Problem } from '../domain/problem.ts'
import type { Db } from '../store/open.ts'
import { remoteTable, type RemoteRow, type RemoteTable } from '../store/remotes.ts'
import { settingsTable } from '../store/settings.ts'
import { write } from '../store/write.ts'
import {
  identityForNobody,
  isCalledOtherwise,
  isReachedOtherwise,
  isSamePlace,
  wayAfter,
  wayToNew
} from './checks.ts'
import { introduced, refuseAnother, type Connections } from './connections.ts'
import type { Access, Introduction } from './end.ts'
import { suggestedName, type Place } from './naming.ts'
import { refuseOwnFolder } from './own-folder.ts'
import { forPerson } from './problems.ts'
import { givenToken, type RemoteTokens } from './tokens.ts'

/** A person waits for it. */
const testPatience = 30_000
const usualCheckMinutes = 30

/** The list of remotes: adding, trying, changing and removing them, with their tokens. */
export class Remotes {
  readonly #db: Db
  readonly #events: Events
  readonly #now: () => number
  readonly #rows: RemoteTable
  readonly #tokens: RemoteTokens
  readonly #connections: Connections
  readonly #mirrored: Pick<Mirrored, 'forkAllOf'>

  constructor(parts: {
    db: Db
    tokens: RemoteTokens
    connections: Connections
    mirrored: Pick<Mirrored, 'forkAllOf'>
    events: Events
    now?: () => number
  }) {
    this.#db = parts.db
    this.#events = parts.events
    this.#now = parts.now ?? Date.now
    this.#rows = remoteTable(parts.db)
    this.#tokens = parts.tokens
    this.#connections = parts.connections
    this.#mirrored = parts.mirrored
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

  /** Problem 'missing' when it has been removed. */
  async read(id: number): Promise<Remote> {
    return this.#remoteOf(this.#row(id))
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
    return this.read(id)
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
            token: changes.token === undefined ? await this.#tokens.secretOf(row) : given
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
    if (found) this.#connections.forget(id)
    else this.#connections.drop(id)
    this.#changed(id)
    return this.read(id)
  }

  /** Its mirrors become own boxes. Null, or why its token may still be in the keychain. */
  async remove(id: number): Promise<string | null> {
    const row = this.#row(id)
    await this.#mirrored.forkAllOf(id)
    this.#rows.remove(id)
    this.#connections.forget(id)
    this.#changed(id)
    return row.tokenName === null ? null : this.#tokens.forget(row.tokenName)
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
    return forPerson(async () =>
      this.#connections.introduce(await access(), AbortSignal.timeout(testPatience))
    )
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
      pausedUntil: this.#connections.pausedUntil(row.id),
      standings: standings ?? {}
    }
  }

  #changed(id: number): void {
    this.#events.emit('remote-changed', { id })
  }
}
