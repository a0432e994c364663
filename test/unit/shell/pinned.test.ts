import { expect, it } from 'vitest'
import installed from 'electron/package.json' with { type: 'json' }
import manifest from '../../../package.json' with { type: 'json' }

/** Below this no version gets repairs of security any more. Raised with every new major version. */
const oldestSupported = 45

it('Electron is pinned exactly, and to a version that is still repaired', () => {
  const pinned = manifest.devDependencies.electron
  expect(pinned).toMatch(/^\d+\.\d+\.\d+$/)
  expect(installed.version).toBe(pinned)
  expect(Number(pinned.split('.')[0])).toBeGreaterThanOrEqual(oldestSupported)
})
