import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A program of the system's that a test needs: what must be callable, and the Debian package that brings it. */
export interface Need {
  readonly package: string
  /** A shell command that succeeds when it is there. */
  readonly probe: string
}

/** The usual need: a program of that name on the PATH. */
export const program = (name: string, packageName = name): Need => ({
  package: packageName,
  probe: `command -v ${name}`
})

/**
 * Sees that the programs are there and installs what is missing where that is allowed: as root on Debian and its kin.
 * The answer is null when all is well, else a sentence with the command that would help.
 */
export function provide(needs: readonly Need[]): string | null {
  const missing = (): string[] =>
    needs.filter((need) => !succeeds('sh', ['-c', need.probe])).map((need) => need.package)
  let packages = missing()
  if (packages.length === 0) return null
  const install = ['install', '-y', '--no-install-recommends', ...packages]
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log(`installing ${packages.join(', ')} …`)
    // Only a machine that never asked for its package lists needs the update.
    if (!apt(install) && apt(['update'])) apt(install)
    packages = missing()
    if (packages.length === 0) return null
  }
  return `${packages.join(', ')} is missing; on Debian this brings it: sudo apt-get ${install.join(' ')}`
}

/** One after the other, as tests run side by side. A runlevel of 1 keeps freshly installed services from being started. */
const apt = (args: string[]): boolean =>
  succeeds('flock', [join(tmpdir(), 'boxyard-tests-apt'), 'apt-get', ...args], {
    ...process.env,
    DEBIAN_FRONTEND: 'noninteractive',
    RUNLEVEL: '1'
  })

const succeeds = (command: string, args: string[], env = process.env): boolean =>
  spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'], env }).status === 0
