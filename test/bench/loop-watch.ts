import { monitorEventLoopDelay } from 'node:perf_hooks'

/** How late the event loop of a process was while it was watched, in milliseconds. */
export interface LoopDelay {
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** Watches the loop of the thread it is called in. Each reading tells what was seen since the one before. */
export function watchLoop(): { read(): LoopDelay } {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const ms = (nanoseconds: number): number => nanoseconds / 1e6
  return {
    read() {
      const seen = { p50: ms(delay.percentile(50)), p99: ms(delay.percentile(99)), max: ms(delay.max) }
      delay.reset()
      return seen
    }
  }
}
