import { describe, expect, it } from 'vitest'
import { Paced } from '../../../src-main/catalog/paced.ts'

/** A reading that ends when the test says so. */
function world() {
  const readings: { end(value: string): void; fail(error: Error): void }[] = []
  const begun: (() => void)[] = []
  const paced = new Paced(
    () =>
      new Promise<string>((end, fail) => {
        readings.push({ end, fail })
        begun.shift()?.()
      })
  )
  const nextReading = (): Promise<void> => new Promise((resolve) => begun.push(resolve))
  return { paced, readings, nextReading }
}

describe('what is read at its own pace', () => {
  it('is read once more for all who ask while it is being read, and tells them what is newer', async () => {
    const { paced, readings, nextReading } = world()
    const begins = nextReading()
    const first = paced.read()
    await begins
    const again = nextReading()
    const later = [paced.read(), paced.read(), paced.read()]
    expect(readings).toHaveLength(1)
    readings[0]?.end('old')
    expect(await first).toBe('old')
    await again
    readings[1]?.end('new')
    expect(await Promise.all(later)).toEqual(['new', 'new', 'new'])
    expect(readings).toHaveLength(2)
  })

  it('tells a failure to those who asked, and is read again by the next', async () => {
    const { paced, readings, nextReading } = world()
    const begins = nextReading()
    const first = paced.read()
    await begins
    readings[0]?.fail(new Error('the thread died'))
    await expect(first).rejects.toThrow('the thread died')
    const again = nextReading()
    const second = paced.read()
    await again
    readings[1]?.end('well')
    expect(await second).toBe('well')
  })
})
