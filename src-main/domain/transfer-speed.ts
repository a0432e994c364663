/** Shorter than this, nothing can be said. */
const moment = 500
/** The speed is what came within this time, so that it neither jumps nor remembers long. */
const memory = 5000
const sampleEvery = 250

interface Sample {
  readonly at: number
  readonly bytes: number
}

/** How fast bytes come, smoothed. Times are milliseconds. */
export class TransferSpeed {
  readonly #samples: Sample[]
  #bytes = 0

  constructor(now: number) {
    this.#samples = [{ at: now, bytes: 0 }]
  }

  /** Tells how many bytes have come in all. */
  note(bytes: number, now: number): void {
    this.#bytes = bytes
    if (now - (this.#samples.at(-1)?.at ?? 0) >= sampleEvery) this.#samples.push({ at: now, bytes })
    while (this.#samples.length > 2 && now - (this.#samples[1]?.at ?? now) >= memory) this.#samples.shift()
  }

  /** Bytes a second; null for the first moment. Falls while nothing comes. */
  at(now: number): number | null {
    const first = this.#samples[0]
    if (!first || now - first.at < moment) return null
    return Math.round(((this.#bytes - first.bytes) * 1000) / (now - first.at))
  }
}
