import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder of this test's own, gone when the test ends. */
export function tempDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'boxyard-test-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}
