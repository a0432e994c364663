import { defineConfig } from 'vitest/config'
import { settings } from '../support/vitest-settings.ts'

/** What happens when things go wrong around the real server. Two files at a time: each of them mostly waits. */
export default defineConfig({
  test: {
    ...settings,
    include: ['test/faults/**/*.test.ts'],
    maxWorkers: 2,
    testTimeout: 170_000
  }
})
