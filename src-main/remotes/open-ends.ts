import type { End } from './end.ts'

/** How long who answers is taken to be the one it was just found to be. */
const trustedFor = 5_000

interface Shared {
  readonly end: End
  readonly since: number
  users: number
  dropped: boolean
  timer: NodeJS.Timeout | null
}

/**
 * Ends of remotes that were reached a moment ago, for the next one who wants the same: many small transfers in a row do
 * not ask each time who is there. Each user gets an end that can be closed; the shared one closes with the last of them.
 */
export class OpenEnds {
  readonly #now: () => number
  readonly #shared = new Map<number, Shared>()
  /** How often each was dropped: what was being reached then is reached as it no longer is to be. */
  readonly #drops = new Map<number, number>()

  constructor(now: () => number) {
    this.#now = now
  }

  async take(id: number, reach: () => Promise<End>): Promise<End> {
    const there = this.#shared.get(id)
    if (there && this.#now() - there.since < trustedFor) return this.#lend(there)
    if (there) this.#letGo(id)
    const drops = this.#drops.get(id)
    const shared: Shared = { end: await reach(), since: this.#now(), users: 0, dropped: false, timer: null }
    if (drops !== this.#drops.get(id)) {
      shared.dropped = true
      return this.#lend(shared)
    }
    // Another may have been faster; both are good, and the newer one is kept.
    this.#letGo(id)
    this.#shared.set(id, shared)
    return this.#lend(shared, id)
  }

  /** The next one reaches it anew; those at work go on with what they have. */
  drop(id: number): void {
    this.#drops.set(id, (this.#drops.get(id) ?? 0) + 1)
    this.#letGo(id)
  }

  #letGo(id: number): void {
    const shared = this.#shared.get(id)
    if (!shared) return
    this.#shared.delete(id)
    shared.dropped = true
    if (shared.users === 0) void end(shared)
  }

  async close(): Promise<void> {
    for (const id of [...this.#shared.keys()]) this.drop(id)
  }

  #lend(shared: Shared, id?: number): End {
    shared.users += 1
    if (id !== undefined)
      shared.timer = setTimeout(() => this.#shared.get(id) === shared && this.drop(id), trustedFor).unref()
    let closed = false
    const close = async (): Promise<void> => {
      if (closed) return
      closed = true
      shared.users -= 1
      if (shared.dropped && shared.users === 0) await end(shared)
    }
    return new Proxy(shared.end, {
      get: (target, key) => {
        if (key === 'close') return close
        const value: unknown = Reflect.get(target, key, target)
        return typeof value === 'function' ? (value.bind(target) as unknown) : value
      }
    })
  }
}

async function end(shared: Shared): Promise<void> {
  if (shared.timer) clearTimeout(shared.timer)
  await shared.end.close()
}
