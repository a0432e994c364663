import { onTestFinished } from 'vitest'
import type { SyncConflict } from '../../src-main/contract/sync.ts'
import type { RemoteTransfer } from '../../src-main/contract/transfers.ts'
import { RemoteFailure } from '../../src-main/remotes/failure.ts'
import { putStep, transfersWorld, versionStep } from './transfers.ts'

/** A queue that is closed with the test, and what puts a transfer into it. */
export async function world(over: Parameters<typeof transfersWorld>[0] = {}) {
  const made = await transfersWorld(over)
  const { transfers, request, sync } = made
  onTestFinished(() => transfers.close())
  const add = (box = 'tiny', steps = [versionStep('1.0.0'), putStep('1.0.0')]): string => {
    sync.steps.set(box, steps)
    return transfers.add([request(box)])[0]!.id
  }
  return { ...made, add }
}

/** A step that ends when the test says so. */
export function gate() {
  let open = (): void => {}
  let fail = (_: Error): void => {}
  const passed = new Promise<void>((resolve, reject) => {
    open = resolve
    fail = reject
  })
  return { passed, open, fail }
}

/** What hangs until it is told to stop. */
export const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const { reason } = signal as { reason: unknown }
    if (signal.aborted) reject(reason as Error)
    signal.addEventListener('abort', () => reject(new RemoteFailure('offline', ['It was cut off.'])))
  })

export const isAtWork = ({ step }: RemoteTransfer): boolean => step?.state === 'running'

export const clash: SyncConflict = {
  key: 'image 1.0.0 virtualbox/amd64 a-b',
  sentence: 'virtualbox/amd64 of 1.0.0 is another file here than at Lab.',
  choices: [
    { choice: 'keep-both', sentence: 'Leave both as they are.' },
    { choice: 'theirs', sentence: 'Take over the one of Lab here.' }
  ],
  chosen: null
}
