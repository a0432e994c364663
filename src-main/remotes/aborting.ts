import type { Readable } from 'node:stream'

/** Waits for what cannot be stopped itself no longer than the signal lets it. */
export async function orAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return whileNotAborted(
    signal,
    (own) =>
      new Promise<T>((resolve, reject) => {
        own.addEventListener('abort', () => reject(own.reason as Error), { once: true })
        work.then(resolve, reject)
      })
  )
}

/** Hands some work a signal that is aborted with another one, and by nothing once the work is done. */
export async function whileNotAborted<T>(
  signal: AbortSignal,
  work: (own: AbortSignal) => Promise<T>
): Promise<T> {
  const own = new AbortController()
  const abort = (): void => own.abort(signal.reason)
  signal.throwIfAborted()
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await work(own.signal)
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** A stream that is destroyed with the signal, and asks nothing of it any more once it has ended. */
export function endedBy<T extends Readable>(signal: AbortSignal, body: T): T {
  const stop = (): void => void body.destroy(signal.reason as Error)
  // Nobody may have begun to read it yet, and an error that nobody hears ends the program.
  body.on('error', () => {})
  signal.addEventListener('abort', stop, { once: true })
  body.once('close', () => signal.removeEventListener('abort', stop))
  if (signal.aborted) stop()
  return body
}
