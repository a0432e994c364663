import type { Client, SeenBox } from './client.ts'
import type { Random } from './random.ts'
import { sha256 } from '../support/sha256.ts'

/** One change: what it does, and what the box is once it has been acknowledged. */
interface Step {
  readonly act: (client: Client) => Promise<unknown>
  readonly after: SeenBox
}

const mostVersions = 4

/**
 * A client with a box of its own, that changes it at random, one step after the other, and remembers what was
 * acknowledged. The step that a kill cut off may have happened or not; anything between the two is a fault.
 */
export class Publisher {
  readonly box: string
  readonly #random: Random
  /** Bytes that every publisher uses now and then, so that blobs are shared and deduplicated. */
  readonly #shared: readonly Buffer[]
  #known: SeenBox = null
  #pending: SeenBox | undefined = undefined
  #number = 0
  acknowledged = 0

  constructor(box: string, random: Random, shared: readonly Buffer[]) {
    this.box = box
    this.#random = random
    this.#shared = shared
  }

  /** Works until the server is gone. */
  async work(client: Client): Promise<void> {
    for (;;) {
      const step = this.#nextStep()
      this.#pending = step.after
      try {
        await step.act(client)
      } catch (error) {
        // fetch's word for a connection that broke; a refusal would be a fault.
        if (error instanceof TypeError) return
        throw error
      }
      this.#known = step.after
      this.#pending = undefined
      this.acknowledged += 1
    }
  }

  /** Takes over what is there after a restart, which is what was acknowledged, or that and the whole of the next step. */
  async check(client: Client): Promise<void> {
    const seen = await client.see(this.box)
    const allowed = this.#pending === undefined ? [this.#known] : [this.#known, this.#pending]
    if (!allowed.some((box) => same(box, seen)))
      throw new Error(`${this.box} is ${text(seen)}, but should be ${allowed.map(text).join(' or ')}`)
    this.#known = seen
    this.#pending = undefined
  }

  #nextStep(): Step {
    const { box } = this
    const known = this.#known
    if (known === null) return { act: (client) => client.createBox(box), after: {} }
    const numbers = Object.keys(known)
    if (numbers.length === 0 || (numbers.length < mostVersions && this.#random.next() < 0.2)) {
      const number = `1.0.${(this.#number += 1)}`
      const version = { status: 'unreleased', provider: false, sha256: null }
      return { act: (client) => client.createVersion(box, number), after: { ...known, [number]: version } }
    }
    if (this.#random.next() < 0.04) return { act: (client) => client.deleteBox(box), after: null }
    const number = this.#random.oneOf(numbers)
    const version = known[number]
    if (!version) throw new Error('unreachable')
    const changed = (change: Partial<typeof version>): SeenBox => ({
      ...known,
      [number]: { ...version, ...change }
    })
    if (!version.provider)
      return { act: (client) => client.createProvider(box, number), after: changed({ provider: true }) }
    if (version.sha256 !== null && version.status === 'unreleased' && this.#random.next() < 0.5)
      return { act: (client) => client.release(box, number), after: changed({ status: 'active' }) }
    if (this.#random.next() < 0.2) {
      const after = Object.fromEntries(Object.entries(known).filter(([other]) => other !== number))
      return { act: (client) => client.deleteVersion(box, number), after }
    }
    const bytes = this.#bytes()
    const direct = this.#random.next() < 0.3
    return {
      act: (client) => (direct ? client.uploadDirect(box, number, bytes) : client.upload(box, number, bytes)),
      after: changed({ sha256: sha256(bytes) })
    }
  }

  #bytes(): Buffer {
    if (this.#random.next() < 0.3) return this.#random.oneOf(this.#shared)
    return this.#random.bytes(this.#random.next() < 0.1 ? 2_000_000 : this.#random.between(1, 60_000))
  }
}

const same = (a: SeenBox, b: SeenBox): boolean => text(a) === text(b)

const text = (box: SeenBox): string =>
  JSON.stringify(box && Object.entries(box).sort(([a], [b]) => (a < b ? -1 : 1)))
