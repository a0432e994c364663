import { defineConfig } from 'vitest/config'
import { settings } from './test/support/vitest-settings.ts'

export default defineConfig({
  test: {
    ...settings,
    include: ['test/{unit,contract,integration}/**/*.test.ts'],
    // For what hangs; a busy machine may take half a minute for what takes a second elsewhere.
    testTimeout: 60_000
  }
})
