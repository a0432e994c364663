import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Stopped } from '../../../../src-main/catalog/arrivals/queue.ts'
import { Queue } from '../../../../src-main/catalog/arrivals/queue.ts'
import { silentLog } from '../../../../src-main/log.ts'

/** A queue whose work ends when the test says so. */
function queueOf(ids: readonly string[], { parallel = 1 } = {}) {
  const waiting = [...ids]
  const begun: string[] = []
  const ended: string[] = []
  const ends = new Map<string, { resolve: () => void; reject: (error: Error) => void }>()
  const how = { parallel }
  const queue = new Queue({
    parallel: () => how.parallel,
    next: () => waiting[0] ?? null,
    async run(id, signal) {
      waiting.shift()
      begun.push(id)
      await new Promise<void>((resolve, reject) => {
        ends.set(id, { resolve, reject })
        signal.addEventListener('abort', () => {
          ended.push(`${id} ${(signal.reason as Stopped).why}`)
          resolve()
        })
      })
    },
    log: silentLog
  })
  return {
    ...{ queue, waiting, begun, ended, how },
    end: (id: string) => ends.get(id)?.resolve(),
    fail: (id: string) => ends.get(id)?.reject(new Error(id))
  }
}

describe('a queue', () => {
  it('begins nothing before it is started', () => {
    const { queue, begun } = queueOf(['a'])
    queue.kick()
    expect(begun).toEqual([])
    queue.start()
    expect(begun).toEqual(['a'])
  })

  it.each([1, 2, 3])('runs %i at a time, in the order there is at that moment', async (parallel) => {
    const { queue, begun, waiting, end } = queueOf(['a', 'b', 'c', 'd', 'e'], { parallel })
    queue.start()
    expect(begun).toHaveLength(parallel)
    waiting.reverse()
    end('a')
    await turn()
    expect(begun.at(-1)).toBe('e')
    expect(begun).toHaveLength(parallel + 1)
  })

  it('takes up more when more may run', () => {
    const { queue, begun, how } = queueOf(['a', 'b', 'c'])
    queue.start()
    how.parallel = 3
    queue.kick()
    expect(begun).toEqual(['a', 'b', 'c'])
  })

  it('stops one, resolves once it has ended, and goes on with the next', async () => {
    const { queue, begun, ended } = queueOf(['a', 'b'])
    queue.start()
    expect(await queue.stop('a')).toBe(true)
    expect(ended).toEqual(['a cancelled'])
    expect(begun).toEqual(['a', 'b'])
    expect(await queue.stop('a')).toBe(false)
  })

  it('ends all that runs when it is closed, and begins nothing any more', async () => {
    const { queue, begun, ended } = queueOf(['a', 'b', 'c'], { parallel: 2 })
    queue.start()
    await queue.close()
    queue.kick()
    expect(ended).toEqual(['a closing', 'b closing'])
    expect(begun).toEqual(['a', 'b'])
  })
})

describe('one that cannot even be begun', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('is tried again after a pause, not at once and for ever', async () => {
    let tries = 0
    const queue = new Queue({
      parallel: () => 1,
      next: () => 'a',
      async run() {
        tries += 1
        throw new Error('the disk is full')
      },
      log: silentLog
    })
    queue.start()
    await vi.advanceTimersByTimeAsync(100)
    expect(tries).toBe(1)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(tries).toBe(3)
    await queue.close()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(tries).toBe(3)
  })
})
