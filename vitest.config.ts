import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/{unit,contract,integration}/**/*.test.ts'],
    reporters: ['./test/support/vitest-reporter.ts'],
    testTimeout: 20_000
  }
})
