import { setImmediate } from 'node:timers/promises'

/** Lets everybody else have their turn in the middle of long work, and ends it when it was told to. */
export async function breathe(signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  await setImmediate()
  signal.throwIfAborted()
}

/** Some at a time: as many as do not keep anybody waiting. */
export function* portions<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size)
}

/** Does something with each, so many at the same time; ends with the first failure. */
export async function severally<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>
): Promise<void> {
  const turns = items.values()
  let failed = false
  const worker = async (): Promise<void> => {
    for (const item of turns) {
      if (failed) return
      try {
        await work(item)
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}
