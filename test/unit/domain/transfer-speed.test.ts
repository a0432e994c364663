import { describe, expect, it } from 'vitest'
import { TransferSpeed } from '../../../src-main/domain/transfer-speed.ts'

const mega = 1_000_000

/** So many bytes a second from one time to another, told of every 50 ms. */
function run(speed: TransferSpeed, from: number, to: number, start: number, perSecond: number): number {
  let bytes = start
  for (let at = from + 50; at <= to; at += 50) speed.note((bytes += perSecond / 20), at)
  return bytes
}

describe('the speed of a transfer', () => {
  it('is not known for the first moment', () => {
    const speed = new TransferSpeed(1000)
    run(speed, 1000, 1400, 0, mega)
    expect(speed.at(1400)).toBeNull()
    run(speed, 1400, 1500, 0.4 * mega, mega)
    expect(speed.at(1500)).toBe(mega)
  })

  it('does not jump with one piece, and forgets what was long ago', () => {
    const speed = new TransferSpeed(0)
    let bytes = run(speed, 0, 10_000, 0, mega)
    expect(speed.at(10_000)).toBe(mega)
    bytes = run(speed, 10_000, 10_500, bytes, 10 * mega)
    expect(speed.at(10_500)).toBeGreaterThan(mega)
    expect(speed.at(10_500)).toBeLessThan(3 * mega)
    run(speed, 10_500, 16_500, bytes, 10 * mega)
    expect(speed.at(16_500)).toBe(10 * mega)
  })

  it('falls while nothing comes', () => {
    const speed = new TransferSpeed(0)
    run(speed, 0, 4000, 0, mega)
    expect(speed.at(8000)).toBeLessThan(mega)
    expect(speed.at(4_000_000)).toBeLessThan(mega / 100)
  })
})
