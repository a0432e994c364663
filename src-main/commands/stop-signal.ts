const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
type StopSignal = (typeof signals)[number]

/**
 * Resolves when this process is told to end. Until it is forgotten, being told again does not cut short what is being
 * brought to an end: a terminal and the program in between may both hand on the same Ctrl-C.
 */
export function nextStopSignal(): { signal: Promise<StopSignal>; forget: () => void } {
  let hear: (signal: StopSignal) => void = () => {}
  const signal = new Promise<StopSignal>((resolve) => (hear = resolve))
  for (const name of signals) process.on(name, hear)
  return {
    signal,
    forget: () => {
      for (const name of signals) process.off(name, hear)
    }
  }
}

/** As shells say it of a command that was interrupted. */
export const exitInterrupted = 130

/** Two signals within this are one Ctrl-C, handed on by the terminal and by a program in between. */
const samePress = 400

/** The first Ctrl-C has the work come to a good end, as `outcome` says in words; one after it ends the program at once. */
export function interruptible(outcome: string): {
  readonly signal: AbortSignal
  readonly forget: () => void
} {
  const controller = new AbortController()
  let first = 0
  const hear = (): void => {
    if (!controller.signal.aborted) {
      first = Date.now()
      process.stderr.write(`boxyard: stopping; ${outcome}. Ctrl-C again ends at once.\n`)
      controller.abort()
    } else if (Date.now() - first > samePress) process.exit(exitInterrupted)
  }
  for (const name of signals) process.on(name, hear)
  return {
    signal: controller.signal,
    forget: () => {
      for (const name of signals) process.off(name, hear)
    }
  }
}

/** Does what a Ctrl-C may end; null when one did, and the exit code says so. */
export async function unlessInterrupted<T>(
  outcome: string,
  work: (signal: AbortSignal) => Promise<T>
): Promise<T | null> {
  const { signal, forget } = interruptible(outcome)
  try {
    return await work(signal)
  } catch (error) {
    if (!signal.aborted || error !== signal.reason) throw error
    process.exitCode = exitInterrupted
    return null
  } finally {
    forget()
  }
}
