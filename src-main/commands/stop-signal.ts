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
