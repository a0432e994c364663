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
  constructor(_parts: { readonly log: Log }) {}

  keep(_name: string, _secret: string): Promise<Kept> {
    throw new Error('not written yet')
  }

  find(_name: string): Promise<FoundSecret> {
    throw new Error('not written yet')
  }

  forget(_name: string): Promise<void> {
    throw new Error('not written yet')
  }
}
