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
