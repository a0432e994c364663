import { fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { onTestFinished } from 'vitest'

/** The process ended before the answer came: nobody knows whether it happened. */
export class Unheard extends Error {}

/** A process of a file beside this one, which answers what it is asked for by messages, each with a number. */
export async function startForked<Deeds extends object>(
  file: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env
) {
  const child = fork(resolve(import.meta.dirname, file), args, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env
  })
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  let last = 0
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()
  const answer = (number: number) =>
    new Promise<unknown>((resolve, reject) => waiting.set(number, { resolve, reject }))
  child.on('message', ({ number, value, error }: { number: number; value: unknown; error?: string }) => {
    const asked = waiting.get(number)
    waiting.delete(number)
    if (error === undefined) asked?.resolve(value)
    else asked?.reject(new Error(error))
  })
  child.on('exit', () => {
    for (const { reject } of waiting.values()) reject(new Unheard())
    waiting.clear()
  })
  await answer(0)
  return {
    ended,
    do: <N extends keyof Deeds>(deed: N, how: Deeds[N]): Promise<unknown> => {
      const number = (last += 1)
      if (!child.connected) return Promise.reject(new Unheard())
      const answered = answer(number)
      child.send({ deed, number, ...how }, () => {})
      return answered
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    }
  }
}
