import { defineConfig } from 'vitest/config'

/** What happens when things go wrong around the real server. Two files at a time: each of them mostly waits. */
export default defineConfig({
  test: {
    include: ['test/faults/**/*.test.ts'],
    reporters: ['./test/support/vitest-reporter.ts'],
    env: { BOXYARD_KEYCHAIN_WAIT: '0' },
    maxWorkers: 2,
    testTimeout: 170_000
  }
})
