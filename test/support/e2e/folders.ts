import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What one test has of the disk, and nobody else. */
export interface Folders {
  readonly root: string
  /** Boxyard's data folder. */
  readonly data: string
  /** Electron's, with the window's state. */
  readonly user: string
  /** Stands for ~/.config, where a login item would be put. */
  readonly config: string
  /** Where box files of the test lie. */
  readonly files: string
  /** What the test's programs find in their environment besides; for those started after it was put here. */
  readonly env: Record<string, string>
  remove(): void
}

export function makeFolders(): Folders {
  const root = mkdtempSync(join(tmpdir(), 'boxyard-e2e-'))
  const below = (name: string): string => {
    mkdirSync(join(root, name))
    return join(root, name)
  }
  return {
    root,
    data: below('data'),
    user: below('user'),
    config: below('config'),
    files: below('files'),
    env: {},
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** What a test's programs are told of the machine: nothing of the person who runs the tests. */
export const environment = ({ data, config, env }: Folders): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(process.env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]))
  ),
  BOXYARD_DATA: data,
  BOXYARD_KEYCHAIN_WAIT: '0',
  XDG_CONFIG_HOME: config,
  ...env
})
