import type { Writable } from 'node:stream'

/** Whoever takes bytes from here, and may go away in the middle. */
export interface Reader {
  /** Waits for `work`, but no longer than somebody wants its result. */
  unlessGone(work: Promise<void> | undefined): Promise<void>
  leave(): void
}

/** Notices when nobody will take any more: a write that is under way then may never be answered. */
export function watchReader(target: Writable, signal: AbortSignal | undefined): Reader {
  let gone: { why: unknown } | null = null
  let giveUp: ((why: unknown) => void) | null = null
  const end = (why: unknown): void => {
    gone ??= { why }
    giveUp?.(why)
  }
  const closed = (): void => end(new Error('the reader went away'))
  const aborted = (): void => end(signal?.reason)
  target.on('close', closed)
  target.on('error', end)
  signal?.addEventListener('abort', aborted, { once: true })
  if (target.destroyed) closed()
  else if (signal?.aborted) aborted()
  return {
    async unlessGone(work) {
      work?.catch(() => {}) // nobody may be there to hear it
      if (gone) throw gone.why
      await new Promise<void>((resolve, reject) => {
        giveUp = reject
        if (work) work.then(resolve, reject)
        else resolve()
      })
      if (gone) throw (gone as { why: unknown }).why
    },
    leave() {
      target.off('close', closed)
      target.off('error', end)
      signal?.removeEventListener('abort', aborted)
    }
  }
}

/** Resolves once `bytes` may be reused. */
export const handTo = (target: Writable, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => target.write(bytes, (error) => (error ? reject(error) : resolve())))
