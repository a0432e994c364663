import { describe, expect, it } from 'vitest'
import { Turns } from '../../../src-main/access/turns.ts'

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('turns', () => {
  it('run one after the other, in the order they came, whether or not those before failed', async () => {
    const turns = new Turns(10)
    const seen: string[] = []
    const task = (name: string, fails = false) =>
      turns.run(async () => {
        seen.push(`${name} begins`)
        await tick()
        seen.push(`${name} ends`)
        if (fails) throw new Error(name)
        return name
      })
    const results = await Promise.allSettled([task('a'), task('b', true), task('c')])
    expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  it('are refused when too many wait, and given again when there is room', async () => {
    const turns = new Turns(2)
    const running = [turns.run(tick), turns.run(tick)]
    await expect(turns.run(tick)).rejects.toMatchObject({ kind: 'unavailable' })
    await Promise.all(running)
    await expect(turns.run(async () => 'in')).resolves.toBe('in')
  })
})
