import type { Log } from '../log.ts'
import type { KeychainReply, KeychainRequest, KeychainTrouble } from './keychain-messages.ts'
import { askKeychain, type StartHelper } from './keychain-process.ts'
import { troubleNote } from './keychain-trouble.ts'

/** Where a secret was put, and why not in the keychain. */
export interface Kept {
  readonly place: 'keychain' | 'this-run'
  readonly note: string | null
}

/** A secret as it was found. */
export interface FoundSecret {
  readonly secret: string | null
  readonly place: 'keychain' | 'this-run' | 'lost'
  readonly note: string | null
}

/** A person may have to type a password first. */
const usualWait = 30_000
/** What was in the way is not asked again at once: each time could be another window that asks for a password. */
const usualRest = 30_000
const restAfter: Readonly<Partial<Record<KeychainTrouble, number>>> = {
  locked: 60_000,
  denied: 60_000,
  silent: 5 * 60_000
}

/** Secrets of remotes, in the keychain of the operating system where there is one. Every call has a time limit. */
export class Keychain {
  readonly #log: Log
  readonly #start: StartHelper | undefined
  readonly #waitMs: number
  readonly #environment: NodeJS.ProcessEnv
  readonly #now: () => number
  readonly #stop = new AbortController()
  /** What the keychain has is asked of it once in a run. */
  readonly #known = new Map<string, string>()
  readonly #thisRun = new Map<string, { readonly secret: string; readonly note: string }>()
  #trouble: { readonly kind: KeychainTrouble; readonly note: string; readonly until: number } | null = null
  #turn: Promise<unknown> = Promise.resolve()

  constructor(parts: {
    readonly log: Log
    readonly start?: StartHelper | undefined
    readonly waitMs?: number
    readonly environment?: NodeJS.ProcessEnv
    readonly now?: () => number
  }) {
    this.#log = parts.log
    this.#start = parts.start
    this.#environment = parts.environment ?? process.env
    this.#waitMs = parts.waitMs ?? waitOf(this.#environment) ?? usualWait
    this.#now = parts.now ?? Date.now
  }

  /** Says that it is in the keychain only when it was read back from there. */
  async keep(name: string, secret: string): Promise<Kept> {
    const reply = await this.#ask({ do: 'keep', name, secret })
    if ('trouble' in reply) {
      const { note } = this.#note(reply)
      this.#thisRun.set(name, { secret, note })
      return { place: 'this-run', note }
    }
    this.#known.set(name, secret)
    return { place: 'keychain', note: null }
  }

  /** Of what was kept in memory alone. */
  findOfRun(name: string): FoundSecret {
    return this.#atHand(name) ?? lost('It was given for one run alone, which is over.')
  }

  async find(name: string): Promise<FoundSecret> {
    const there = this.#atHand(name)
    if (there) return there
    return this.#inTurn(async () => {
      const meanwhile = this.#atHand(name)
      if (meanwhile) return meanwhile
      const trouble = this.#trouble
      if (trouble && this.#now() < trouble.until) return lost(trouble.note)
      const reply = await this.#askNow({ do: 'find', name })
      if ('trouble' in reply) return lost(this.#note(reply).note)
      this.#trouble = null
      if (reply.secret === null) return lost('The keychain does not have it any more.')
      this.#known.set(name, reply.secret)
      return { secret: reply.secret, place: 'keychain', note: null }
    })
  }

  /** Null, or why it may still be in the keychain. */
  async forget(name: string, { isOfRun = false } = {}): Promise<string | null> {
    this.#known.delete(name)
    if (this.#thisRun.delete(name) || isOfRun) return null
    const reply = await this.#ask({ do: 'forget', name })
    return 'trouble' in reply ? this.#note(reply).note : null
  }

  /** Ends what is still being asked. */
  close(): void {
    this.#stop.abort()
  }

  #atHand(name: string): FoundSecret | null {
    const known = this.#known.get(name)
    if (known !== undefined) return { secret: known, place: 'keychain', note: null }
    const kept = this.#thisRun.get(name)
    return kept ? { secret: kept.secret, place: 'this-run', note: kept.note } : null
  }

  #ask(request: KeychainRequest): Promise<KeychainReply> {
    return this.#inTurn(() => this.#askNow(request))
  }

  /** One at a time: a person is asked for one password, and not for several at once. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(work)
    this.#turn = mine.catch(() => {})
    return mine
  }

  async #askNow(request: KeychainRequest): Promise<KeychainReply> {
    if (this.#waitMs === 0) return { trouble: 'unwanted', message: '' }
    return askKeychain(request, {
      start: this.#start,
      waitMs: this.#waitMs,
      environment: this.#environment,
      signal: this.#stop.signal
    })
  }

  #note({ trouble, message }: Extract<KeychainReply, { trouble: unknown }>): { readonly note: string } {
    const note = troubleNote(trouble, message)
    if (this.#trouble?.kind !== trouble && trouble !== 'unwanted' && !this.#stop.signal.aborted)
      this.#log.warn(`keychain: ${note}`)
    const until = this.#now() + (restAfter[trouble] ?? usualRest)
    this.#trouble = { kind: trouble, note, until }
    return { note }
  }
}

const lost = (note: string): FoundSecret => ({ secret: null, place: 'lost', note })

/** In seconds; 0 for a machine whose keychain is not to be used at all. */
function waitOf(environment: NodeJS.ProcessEnv): number | null {
  const text = environment['BOXYARD_KEYCHAIN_WAIT']
  return text !== undefined && /^\d{1,4}(\.\d{1,3})?$/.test(text) ? Number(text) * 1000 : null
}
