import { defineConfig } from '@playwright/test'
import type { FaceOptions } from './test/e2e/fixtures.ts'
import './test/support/compile-cache.ts'
import { runtimes } from './test/support/e2e/runtimes.ts'

/**
 * The same specs on both faces; a spec that is about one of them says so with `onlyOn`. `npm run test:e2e` brings what
 * they need (a build, Electron, Chromium, a display) and says loudly what cannot be had.
 */
export default defineConfig<FaceOptions>({
  testDir: 'test/e2e',
  outputDir: 'test-results',
  globalSetup: './test/support/e2e/setup.ts',
  reporter: [['./test/support/playwright-reporter.ts']],
  // The faces side by side, each one test at a time: windows of desktops would share a display, a clipboard and the focus.
  workers: 2,
  forbidOnly: true,
  // A machine that is busy with other things may take its time; nothing waits so long unless it fails.
  timeout: 180_000,
  expect: { timeout: 20_000 },
  use: {
    viewport: { width: 1280, height: 800 },
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: runtimes.chromium,
      args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--force-color-profile=srgb']
    }
  },
  projects: [
    ...(runtimes.electron ? [{ name: 'electron', workers: 1, use: { face: 'electron' as const } }] : []),
    { name: 'browser', workers: 1, use: { face: 'browser' as const } }
  ]
})
