import { defineConfig } from 'vitest/config'

/** What happens when things go wrong around the real server. One file at a time: each one loads the machine by itself. */
export default defineConfig({
  test: {
    include: ['test/faults/**/*.test.ts'],
    reporters: ['./test/support/vitest-reporter.ts'],
    fileParallelism: false,
    testTimeout: 170_000
  }
})
