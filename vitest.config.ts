import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/{unit,contract,integration}/**/*.test.ts'],
    reporters: ['./test/support/vitest-reporter.ts'],
    // No test asks for the keychain of whoever runs it; those about keychains bring one of their own.
    env: { BOXYARD_KEYCHAIN_WAIT: '0' },
    testTimeout: 20_000
  }
})
