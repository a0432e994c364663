import { defineConfig } from 'vitest/config'
import { settings } from './test/support/vitest-settings.ts'

export default defineConfig({
  test: {
    ...settings,
    include: ['test/{unit,contract,integration}/**/*.test.ts'],
    testTimeout: 20_000
  }
})
