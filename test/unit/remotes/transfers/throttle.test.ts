import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Throttle } from '../../../../src-main/remotes/transfers/throttle.ts'

const chunk = 10_000

/** A throttle in a time of the test's own, and streams that count what was read of them. */
function throttled(limit: number | null) {
  let time = 0
  let timers: { at: number; work: () => void }[] = []
  const now = { limit }
  const throttle = new Throttle(() => now.limit, {
    now: () => time,
    setTimeout(work, ms) {
      timers.push({ at: time + ms, work })
      return { unref: () => {} }
    }
  })
  /** Lets events happen, then time pass in steps, as often as needed. */
  async function pass(ms: number): Promise<void> {
    const end = time + ms
    for (;;) {
      for (let i = 0; i < 50; i++) await turn()
      const next = Math.min(...timers.map(({ at }) => at))
      if (next > end) break
      time = Math.max(time, next)
      const due = timers.filter(({ at }) => at <= time)
      timers = timers.filter(({ at }) => at > time)
      for (const { work } of due) work()
    }
    time = end
  }
  function stream(chunks: number, kind: 'asked' | 'eager' = 'asked') {
    let left = chunks
    const body =
      kind === 'asked'
        ? new Readable({
            read() {
              left -= 1
              this.push(left < 0 ? null : Buffer.alloc(chunk))
            }
          })
        : Readable.from(
            (function* () {
              for (let i = 0; i < chunks; i++) yield Buffer.alloc(chunk)
            })(),
            { objectMode: false }
          )
    const seen = { bytes: 0, ended: false }
    throttle
      .over(body)
      .on('data', (data: Buffer) => (seen.bytes += data.length))
      .on('end', () => (seen.ended = true))
    return Object.assign(seen, { body })
  }
  return { throttle, now, pass, stream }
}

describe('a throttle', () => {
  it('lets everything pass without a limit', async () => {
    const { pass, stream } = throttled(null)
    const seen = stream(500)
    await pass(0)
    for (let i = 0; i < 20; i++) await pass(0)
    expect(seen).toMatchObject({ bytes: 500 * chunk, ended: true })
  })

  it.each(['asked', 'eager'] as const)('keeps a stream that is %s at the limit', async (kind) => {
    const { pass, stream } = throttled(50_000)
    const seen = stream(1000, kind)
    await pass(10_000)
    expect(seen.bytes).toBeGreaterThanOrEqual(480_000)
    expect(seen.bytes).toBeLessThanOrEqual(560_000)
  })

  it('keeps several streams at the limit together, and gives each its turn', async () => {
    const { pass, stream } = throttled(50_000)
    const all = [stream(1000), stream(1000), stream(1000)]
    await pass(20_000)
    const sum = all.reduce((bytes, seen) => bytes + seen.bytes, 0)
    expect(sum).toBeGreaterThanOrEqual(960_000)
    expect(sum).toBeLessThanOrEqual(1_100_000)
    for (const { bytes } of all) expect(bytes).toBeGreaterThan(sum / 5)
  })

  it('obeys another limit at once, also none', async () => {
    const { throttle, now, pass, stream } = throttled(10_000)
    const seen = stream(1000)
    await pass(5000)
    const before = seen.bytes
    expect(before).toBeLessThanOrEqual(80_000)
    now.limit = 100_000
    throttle.changed()
    await pass(5000)
    expect(seen.bytes - before).toBeGreaterThanOrEqual(480_000)
    now.limit = null
    throttle.changed()
    for (let i = 0; i < 50; i++) await pass(0)
    expect(seen.ended).toBe(true)
  })

  it('does not save up what was not used', async () => {
    const { pass, stream } = throttled(50_000)
    await pass(60_000)
    const seen = stream(1000)
    await pass(1000)
    expect(seen.bytes).toBeLessThanOrEqual(120_000)
  })

  it('forgets a stream that was cut off while it waited', async () => {
    const { pass, stream } = throttled(10_000)
    const cut = stream(1000)
    const other = stream(1000)
    await pass(1000)
    cut.body.destroy()
    await pass(10_000)
    expect(other.bytes).toBeGreaterThanOrEqual(80_000)
  })
})
