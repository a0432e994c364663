import { randomUUID } from 'node:crypto'
import type { TokenPlace } from '../contract/remotes.ts'
import { Problem } from '../domain/problem.ts'
import type { Log } from '../log.ts'
import type { Keychain } from '../vault/keychain.ts'
import { RemoteFailure } from './failure.ts'

/** Whose token is meant. */
interface Owner {
  readonly name: string
  readonly tokenName: string | null
}

/** A token, or that there is none, and why it is not in the keychain. */
interface FoundToken {
  readonly secret: string | null
  readonly place: TokenPlace
  readonly note: string | null
}

/** Before the names of those that are in memory alone: no keychain is asked for them. */
const ofRun = 'run:'
/** A keychain that has to be unlocked first is not waited for where a list is shown. */
const patienceOfLists = 300

/** The tokens of remotes: in the keychain, else in memory, else from the environment; in no row and no log. */
export class RemoteTokens {
  readonly #keychain: Keychain
  readonly #log: Log

  constructor({ keychain, log }: { readonly keychain: Keychain; readonly log: Log }) {
    this.#keychain = keychain
    this.#log = log
  }

  /** The name it is kept by: a new one each time, so that no other folder, and no older token, has the same. */
  async keep(token: string): Promise<string> {
    const name = randomUUID()
    const { place } = await this.#keychain.keep(name, token)
    return place === 'this-run' ? `${ofRun}${name}` : name
  }

  async find({ name, tokenName }: Owner): Promise<FoundToken> {
    const given = this.inEnvironment(name)
    if (tokenName === null)
      return { secret: given, place: given === null ? 'none' : 'environment', note: null }
    const found = tokenName.startsWith(ofRun)
      ? this.#keychain.findOfRun(tokenName.slice(ofRun.length))
      : await this.#keychain.find(tokenName)
    if (found.secret === null && given !== null)
      // That a keychain does not answer is worth knowing; that an earlier run is over is not.
      return { secret: given, place: 'environment', note: tokenName.startsWith(ofRun) ? null : found.note }
    return { ...found, note: found.note && noteFor(name, found.place, found.note) }
  }

  /** For who is about to use it; null without one. Throws a RemoteFailure when there is one that cannot be had now. */
  async secretOf(owner: Owner): Promise<string | null> {
    const { secret, place, note } = await this.find(owner)
    if (place !== 'lost') return secret
    throw new RemoteFailure('unauthorized', [
      `The token of ${owner.name} cannot be had now.`,
      ...(note === null ? [] : [note])
    ])
  }

  /** Where it is, for a list. `onLate` is called when the keychain answers after that. */
  async where(owner: Owner, onLate: () => void): Promise<Omit<FoundToken, 'secret'>> {
    const finding = this.find(owner)
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), patienceOfLists)
    })
    const found = await Promise.race([finding, late])
    clearTimeout(timer)
    if (found) return { place: found.place, note: found.note }
    finding.then(onLate, () => {})
    return { place: 'lost', note: 'The keychain has not answered yet; perhaps it waits for its password.' }
  }

  /** Null, or why it may still be in the keychain. */
  async forget(tokenName: string): Promise<string | null> {
    const isOfRun = tokenName.startsWith(ofRun)
    const name = isOfRun ? tokenName.slice(ofRun.length) : tokenName
    const why = await this.#keychain.forget(name, { isOfRun })
    if (why === null) return null
    this.#log.warn(`a token could not be taken out of the keychain: ${why}`)
    return `Its token could not be taken out of the keychain, where it is called Boxyard/${name}. ${why}`
  }

  /** For machines without a keychain. */
  inEnvironment(name: string): string | null {
    const text = process.env[tokenVariable(name)]?.trim() ?? ''
    return isToken(text) ? text : null
  }
}

const isToken = (text: string): boolean => /^[\x21-\x7e]+$/.test(text)

/** What a person gave as a token, without what came along when it was copied; null for none. */
export function givenToken(text: string | undefined): string | null {
  const token = text?.trim() ?? ''
  if (token !== '' && !isToken(token))
    throw new Problem(
      'invalid',
      'The token holds spaces, line breaks or letters that are in no token.',
      'Copy it again, without anything around it.'
    )
  return token || null
}

/** What the environment variable with the token of a remote is called. */
export const tokenVariable = (name: string): string =>
  `BOXYARD_TOKEN_${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`

const noteFor = (name: string, place: TokenPlace, note: string): string =>
  place === 'this-run'
    ? `${note} The token is kept in memory for this run alone; ${tokenVariable(name)} in the environment can hold it for others.`
    : `${note} It can be given again, or be in the environment as ${tokenVariable(name)}.`
