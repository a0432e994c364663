import type { NewRemote, Remote, RemoteChanges, RemoteFinding } from '../contract/remotes.ts'
import type { Events } from '../catalog/events.ts'
import {
  afterAnswer,
  afterFailure,
  afterIntroduction,
  afterRateLimit,
  closedBreaker,
  pausedUntil,
  whenAsked,
  type Breaker
} from '../domain/sync/breaker.ts'
import { nameKey } from '../domain/names.ts'
import { Problem } from '../domain/problem.ts'
import type { Log } from '../log.ts'
import type { Db } from '../store/open.ts'
import { remoteTable, type RemoteRow, type RemoteRowChanges, type RemoteTable } from '../store/remotes.ts'
import { write } from '../store/write.ts'
import type { Keychain } from '../vault/keychain.ts'
import type { Access, End, Introduction, Tag } from './end.ts'
import { openEnd } from './ends/open-end.ts'
import { RemoteFailure } from './failure.ts'
import { breakerNews, healthAfter } from './health.ts'
import {
  checkOrganizationMap,
  checkRemoteName,
  organizationHere,
  organizationThere,
  placeOf,
  suggestedName,
  type Place
} from './naming.ts'
import { OpenEnds } from './open-ends.ts'
import { RemoteTokens } from './tokens.ts'
import { checkedCertificates, checkPlainHttp } from './trust.ts'

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
/** That it still does well is noted so often at most. */
const noteWellEvery = 60_000

/** The list of remotes: adding, trying, changing and removing them, their tokens, and how they do. */
export class Remotes {
  readonly #db: Db
  readonly #events: Events
  readonly #log: Log
  readonly #now: () => number
  readonly #reach: Reach
  readonly #rows: RemoteTable
  readonly #tokens: RemoteTokens
  readonly #open: OpenEnds
  readonly #breakers = new Map<number, Breaker>()
  /** Those that were noted when they happened, or are no news. */
  readonly #noted = new WeakSet<RemoteFailure>()

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
    this.#log = parts.log
    this.#now = parts.now ?? Date.now
    this.#reach = parts.reach ?? openEnd
    this.#rows = remoteTable(parts.db)
    this.#tokens = new RemoteTokens(parts)
    this.#open = new OpenEnds(this.#now)
  }

  async list(): Promise<Remote[]> {
    const rows = this.#rows.all()
    const standings = this.#rows.standings()
    return Promise.all(rows.map((row) => this.#remoteOf(row, standings.get(row.id) ?? {})))
  }

  async find(id: number): Promise<Remote | null> {
    const row = this.#rows.find(id)
    return row && this.#remoteOf(row, this.#rows.standings().get(id) ?? {})
  }

  /** By its name without regard to case, or its number. Problem 'missing' with the names there are. */
  async named(name: string): Promise<Remote> {
    const row =
      this.#rows.findByKey(nameKey(name)) ?? (/^\d{1,15}$/.test(name) ? this.#rows.find(Number(name)) : null)
    if (row) return this.#remoteOf(row, this.#rows.standings().get(row.id) ?? {})
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
    const { finding } = await this.#try(input)
    return finding
  }

  async add(input: NewRemote): Promise<Remote> {
    this.#refuseTakenName(input.name)
    const tried = await this.#try(input)
    const { introduction, access } = tried
    const token =
      input.token === undefined || input.token === '' ? null : await this.#tokens.keep(input.token)
    try {
      const id = write(this.#db, () => {
        this.#refuseTakenName(input.name)
        const name = input.name ?? this.#suggest(access)
        return this.#rows.insert(
          {
            name,
            kind: access.kind,
            location: access.location,
            api: introduction.api,
            identity: introduction.identity,
            account: introduction.account,
            organizations: introduction.organizations,
            organizationMap: input.organizationMap ?? {},
            allowPlainHttp: access.allowPlainHttp,
            certificates: access.certificates,
            tokenName: token,
            checkMinutes: input.checkMinutes === undefined ? usualCheckMinutes : input.checkMinutes,
            health: 'fine',
            healthNote: null,
            checkedAt: this.#now(),
            createdAt: this.#now()
          },
          nameKey(name)
        )
      })
      this.#changed(id)
      return this.#existing(id)
    } catch (error) {
      if (token !== null) await this.#tokens.forget(token)
      throw error
    }
  }

  async change(id: number, changes: RemoteChanges): Promise<Remote> {
    const row = this.#row(id)
    if (changes.name !== undefined && nameKey(changes.name) !== nameKey(row.name))
      this.#refuseTakenName(changes.name)
    if (changes.name !== undefined) checkRemoteName(changes.name)
    if (changes.organizationMap) checkOrganizationMap(changes.organizationMap)
    const place = changes.location === undefined ? row : this.#sameKind(row, placeOf(changes.location))
    const certificates =
      changes.certificates === undefined ? row.certificates : checkedCertificates(changes.certificates)
    const access = {
      kind: row.kind,
      location: place.location,
      allowPlainHttp: changes.allowPlainHttp ?? row.allowPlainHttp,
      certificates
    }
    plainHttpAsProblem(access)
    refuseTokenOfFolder(place, changes.token)
    const reachedOtherwise =
      place.location !== row.location ||
      certificates !== row.certificates ||
      (changes.token !== undefined && changes.token !== '')
    const found =
      reachedOtherwise || changes.acceptIdentity
        ? await this.#introduce({
            ...access,
            api: null,
            token: changes.token === undefined ? await this.#tokenOf(row) : changes.token || null
          })
        : null
    if (found && found.identity !== row.identity && !changes.acceptIdentity)
      throw asProblem(anotherThere(row.name, found.what))
    const renewed =
      changes.token === undefined || changes.token === '' ? null : await this.#tokens.keep(changes.token)
    const tokenName = changes.token === undefined ? row.tokenName : renewed
    try {
      write(this.#db, () => {
        const before = this.#row(id)
        if (changes.name !== undefined && nameKey(changes.name) !== nameKey(before.name))
          this.#refuseTakenName(changes.name)
        this.#rows.change(
          id,
          {
            ...(changes.name !== undefined && { name: changes.name }),
            ...(changes.organizationMap && { organizationMap: changes.organizationMap }),
            ...(changes.checkMinutes !== undefined && { checkMinutes: changes.checkMinutes }),
            ...(found && {
              ...introduced(found),
              health: 'fine' as const,
              healthNote: null,
              checkedAt: this.#now()
            }),
            ...(changes.token === '' && { account: null }),
            location: access.location,
            allowPlainHttp: access.allowPlainHttp,
            certificates,
            tokenName
          },
          changes.name === undefined ? undefined : nameKey(changes.name)
        )
        if (found && found.identity !== before.identity) this.#rows.forgetBoxes(id)
        else if (changes.organizationMap)
          this.#forgetRenamed(id, before.organizationMap, changes.organizationMap)
      })
    } catch (error) {
      if (renewed !== null) await this.#tokens.forget(renewed)
      throw error
    }
    if (row.tokenName !== null && row.tokenName !== tokenName) await this.#tokens.forget(row.tokenName)
    this.#open.drop(id)
    if (found) this.#breakers.delete(id)
    this.#changed(id)
    return this.#existing(id)
  }

  /** Null, or why its token may still be in the keychain. */
  async remove(id: number): Promise<string | null> {
    const row = this.#row(id)
    this.#rows.remove(id)
    this.#open.drop(id)
    this.#breakers.delete(id)
    this.#changed(id)
    return row.tokenName === null ? null : this.#tokens.forget(row.tokenName)
  }

  /** Throws a RemoteFailure: it does not answer, is another one, or may not be asked before `pausedUntil`. */
  async open(id: number, signal: AbortSignal): Promise<OpenRemote> {
    const row = this.#rows.find(id)
    if (!row)
      throw this.#noNews(
        new RemoteFailure('missing', ['This remote has been removed.', 'Add it again to go on with it.'])
      )
    this.#refuseWhilePaused(row)
    this.#breakers.set(id, whenAsked(this.#breaker(id), this.#now()))
    try {
      const end = await this.#open.take(id, () => this.#reachKnown(row, signal))
      return {
        id,
        name: row.name,
        end,
        there: ({ organization, name }) => ({
          organization: organizationThere(row.organizationMap, organization),
          name
        }),
        here: ({ organization, name }) => ({
          organization: organizationHere(row.organizationMap, organization),
          name
        })
      }
    } catch (error) {
      if (error instanceof RemoteFailure && !signal.aborted) this.failed(id, error)
      throw error
    }
  }

  /** To be told of what work with a remote came to: how it does follows from it, and whether it is asked again soon. */
  answered(id: number): void {
    this.#breakers.set(id, afterAnswer())
    this.#noteHealth(id, 'fine', null)
  }

  failed(id: number, failure: RemoteFailure): void {
    if (this.#noted.has(failure)) return
    this.#noted.add(failure)
    const now = this.#now()
    const news = breakerNews(failure)
    const before = this.#breaker(id)
    if (news === 'failure') this.#breakers.set(id, afterFailure(before, now, failure.retryAfter))
    else if (news === 'rate-limit') this.#breakers.set(id, afterRateLimit(before, now, failure.retryAfter))
    else this.#breakers.set(id, afterAnswer())
    const health = healthAfter(failure)
    if (health === null) return
    // The next one finds out from the beginning who answers there.
    this.#open.drop(id)
    this.#noteHealth(id, health, failure.sentences.join(' '))
  }

  /** Until when it is not to be asked, because it failed again and again; null when it may be. */
  pausedUntil(id: number): number | null {
    return pausedUntil(this.#breaker(id), this.#now())
  }

  /** Ends what is kept open for the next one. */
  async close(): Promise<void> {
    await this.#open.close()
  }

  /** Looks who is there, having checked all that was given. */
  async #try(input: NewRemote): Promise<{
    readonly access: Access
    readonly introduction: Introduction
    readonly finding: RemoteFinding
  }> {
    const place = placeOf(input.location)
    if (input.name !== undefined) checkRemoteName(input.name)
    checkOrganizationMap(input.organizationMap ?? {})
    refuseTokenOfFolder(place, input.token)
    const access: Access = {
      ...place,
      api: null,
      token:
        input.token === undefined || input.token === ''
          ? this.#tokens.inEnvironment(input.name ?? this.#suggest(place))
          : input.token,
      allowPlainHttp: input.allowPlainHttp ?? false,
      certificates: checkedCertificates(input.certificates ?? '')
    }
    plainHttpAsProblem(access)
    const introduction = await this.#introduce(access)
    return {
      access,
      introduction,
      finding: {
        ...place,
        api: introduction.api,
        account: introduction.account,
        organizations: introduction.organizations,
        what: introduction.what,
        suggestedName: this.#suggest(place),
        notes: introduction.notes
      }
    }
  }

  /** For a person who waits. What goes wrong is a Problem, which every face knows how to show. */
  async #introduce(access: Access): Promise<Introduction> {
    try {
      const { end, introduction } = await this.#reach(access, AbortSignal.timeout(testPatience))
      await end.close()
      return introduction
    } catch (error) {
      throw error instanceof RemoteFailure ? asProblem(error) : error
    }
  }

  async #reachKnown(row: RemoteRow, signal: AbortSignal): Promise<End> {
    checkPlainHttp(row.location, row.allowPlainHttp)
    const { kind, location, api, allowPlainHttp, certificates } = row
    const token = await orAborted(signal, this.#tokenOf(row))
    // Others may go on with this end after the one who opened it was stopped.
    const { end, introduction } = await whileNotAborted(signal, (reaching) =>
      this.#reach({ kind, location, api, token, allowPlainHttp, certificates }, reaching)
    )
    if (introduction.identity !== row.identity) {
      await end.close()
      throw anotherThere(row.name, introduction.what)
    }
    this.#breakers.set(row.id, afterIntroduction(this.#breaker(row.id)))
    this.#noteHealth(row.id, 'fine', null, introduced(introduction))
    return end
  }

  async #tokenOf(row: RemoteRow): Promise<string | null> {
    const { secret, place, note } = await this.#tokens.find(row)
    if (place === 'lost')
      throw new RemoteFailure('unauthorized', [
        `The token of ${row.name} cannot be had now.`,
        ...(note === null ? [] : [note])
      ])
    return secret
  }

  #refuseWhilePaused(row: RemoteRow): void {
    const until = this.pausedUntil(row.id)
    if (until === null) return
    throw this.#noNews(
      new RemoteFailure(
        'offline',
        [
          row.healthNote ?? `${row.name} did not answer.`,
          'It failed several times in a row, so it is left alone for a moment and then tried again by itself.'
        ],
        { retryAfter: until - this.#now() }
      )
    )
  }

  #noNews(failure: RemoteFailure): RemoteFailure {
    this.#noted.add(failure)
    return failure
  }

  #noteHealth(
    id: number,
    health: Remote['health'],
    healthNote: string | null,
    more: RemoteRowChanges = {}
  ): void {
    const row = this.#rows.find(id)
    if (!row) return
    const now = this.#now()
    const isNews =
      row.health !== health ||
      row.healthNote !== healthNote ||
      Object.entries(more).some(
        ([key, value]) => JSON.stringify(row[key as keyof RemoteRow]) !== JSON.stringify(value)
      )
    if (!isNews && row.checkedAt !== null && now - row.checkedAt < noteWellEvery) return
    this.#rows.change(id, { ...more, health, healthNote, checkedAt: now })
    if (isNews) {
      if (health !== 'fine') this.#log.warn(`remote ${row.name}: ${health}`)
      this.#changed(id)
    }
  }

  #breaker(id: number): Breaker {
    return this.#breakers.get(id) ?? closedBreaker
  }

  #suggest = (place: Place): string => suggestedName(place, (key) => this.#rows.findByKey(key) !== null)

  #refuseTakenName(name: string | undefined): void {
    if (name === undefined) return
    const other = this.#rows.findByKey(nameKey(name))
    if (other)
      throw new Problem('invalid', `There is a remote called ${other.name} already.`, 'Choose another name.')
  }

  #sameKind(row: RemoteRow, place: Place): Place {
    if (place.kind === row.kind) return place
    throw new Problem(
      'invalid',
      `${row.name} is a ${row.kind === 'http' ? 'registry' : 'folder'}, and this is none.`,
      'Add it as a remote of its own.'
    )
  }

  /** What was agreed on under another name there says nothing of what is there under the new one. */
  #forgetRenamed(id: number, before: Remote['organizationMap'], after: Remote['organizationMap']): void {
    this.#rows.forgetOrganizations(
      id,
      (organization) =>
        nameKey(organizationThere(before, organization)) !== nameKey(organizationThere(after, organization))
    )
  }

  #row(id: number): RemoteRow {
    const row = this.#rows.find(id)
    if (!row) throw new Problem('missing', 'There is no such remote any more.')
    return row
  }

  async #existing(id: number): Promise<Remote> {
    return this.#remoteOf(this.#row(id), this.#rows.standings().get(id) ?? {})
  }

  async #remoteOf(row: RemoteRow, standings: Remote['standings']): Promise<Remote> {
    const { tokenName, certificates, identity: _, ...shown } = row
    const { place, note } = await this.#tokens.where({ name: row.name, tokenName }, () =>
      this.#changed(row.id)
    )
    return {
      ...shown,
      hasCertificates: certificates !== null,
      token: place,
      tokenNote: note,
      pausedUntil: this.pausedUntil(row.id),
      standings
    }
  }

  #changed(id: number): void {
    this.#events.emit('remote-changed', { id })
  }
}

const usualCheckMinutes = 30

/** Waits for what cannot be stopped itself no longer than the signal lets it. */
async function orAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return whileNotAborted(
    signal,
    (own) =>
      new Promise<T>((resolve, reject) => {
        own.addEventListener('abort', () => reject(own.reason as Error), { once: true })
        work.then(resolve, reject)
      })
  )
}

/** Hands some work a signal that is aborted with another one, and by nothing once the work is done. */
async function whileNotAborted<T>(signal: AbortSignal, work: (own: AbortSignal) => Promise<T>): Promise<T> {
  const own = new AbortController()
  const abort = (): void => own.abort(signal.reason)
  signal.throwIfAborted()
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await work(own.signal)
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

const introduced = ({ api, identity, account, organizations }: Introduction) => ({
  api,
  identity,
  account,
  organizations
})

const anotherThere = (name: string, what: string): RemoteFailure =>
  new RemoteFailure('another', [
    `Something else answers now where ${name} was: ${what}.`,
    'Nothing is done with it until you say that it is the right one.'
  ])

function refuseTokenOfFolder({ kind }: Place, token: string | undefined): void {
  if (kind === 'folder' && token !== undefined && token !== '')
    throw new Problem('invalid', 'A folder takes no token.', 'Its own rights say who may read and write it.')
}

function plainHttpAsProblem({ location, allowPlainHttp }: Pick<Access, 'location' | 'allowPlainHttp'>): void {
  try {
    checkPlainHttp(location, allowPlainHttp)
  } catch (error) {
    throw error instanceof RemoteFailure ? asProblem(error) : error
  }
}

/** A failure as every face knows how to show it. */
export function asProblem(failure: RemoteFailure): Problem {
  const { kind, sentences } = failure
  if (kind === 'offline' || kind === 'busy' || kind === 'rate-limited')
    return new Problem('unavailable', ...sentences)
  if (kind === 'another') return new Problem('conflict', ...sentences)
  return new Problem(kind === 'no-room' ? 'no-room' : 'invalid', ...sentences)
}
