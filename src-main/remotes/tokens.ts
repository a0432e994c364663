import { randomUUID } from 'node:crypto'
import type { TokenPlace } from '../contract/remotes.ts'
import type { Keychain } from '../vault/keychain.ts'

/** Whose token is meant. */
interface Owner {
  readonly name: string
  readonly tokenName: string | null
}

/** The tokens of remotes: in the keychain, else in memory, else from the environment; in no row and no log. */
export class RemoteTokens {
  readonly #keychain: Keychain

  constructor(keychain: Keychain) {
    this.#keychain = keychain
  }

  /** The name it is kept by: a new one each time, so that no other folder, and no older token, has the same. */
  async keep(token: string): Promise<string> {
    const tokenName = randomUUID()
    await this.#keychain.keep(tokenName, token)
    return tokenName
  }

  async find({ name, tokenName }: Owner): Promise<{
    readonly secret: string | null
    readonly place: TokenPlace
    readonly note: string | null
  }> {
    const given = this.inEnvironment(name)
    if (tokenName === null)
      return { secret: given, place: given === null ? 'none' : 'environment', note: null }
    const found = await this.#keychain.find(tokenName)
    if (found.secret === null && given !== null)
      return { secret: given, place: 'environment', note: found.note }
    return found
  }

  async where(owner: Owner): Promise<{ readonly place: TokenPlace; readonly note: string | null }> {
    const { place, note } = await this.find(owner)
    return { place, note }
  }

  forget(tokenName: string): Promise<void> {
    return this.#keychain.forget(tokenName)
  }

  /** For machines without a keychain: BOXYARD_TOKEN_ and the name of the remote. */
  inEnvironment(name: string): string | null {
    return process.env[tokenVariable(name)] || null
  }
}

/** What the environment variable of a remote's token is called. */
export const tokenVariable = (name: string): string =>
  `BOXYARD_TOKEN_${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`
