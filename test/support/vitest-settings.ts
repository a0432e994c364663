import { availableParallelism } from 'node:os'
import './compile-cache.ts'

/** What all runs of Vitest share. */
export const settings = {
  reporters: ['./test/support/vitest-reporter.ts'],
  // No test asks for the keychain of whoever runs it; those about keychains bring one of their own.
  env: { BOXYARD_KEYCHAIN_WAIT: '0' },
  // What is waited for comes at once, but on a busy machine not always within the usual second.
  expect: { poll: { timeout: 10_000 } },
  // One more than by default: the process that hands out the tests has little to do.
  maxWorkers: availableParallelism()
}
