/** Real clients against the built server: `npm run test:clients`. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { boxyard, serve } from '../support/product.ts'
import { program, provide } from '../support/system-packages.ts'

/** What the script does with the clients that Debian 12 has. A newer vagrant takes more steps, never fewer. */
const steps = 63
const owner = 'acme'
const password = 'a password for the real clients'

const trouble = provide([
  program('vagrant'),
  program('packer'),
  program('curl'),
  program('jq'),
  program('script', 'bsdutils'),
  { package: 'ruby-oauth2', probe: 'ruby -e "require %q(oauth2)"' }
])
if (trouble) {
  console.log(`SKIPPED the real clients: ${trouble}`)
  console.log('0 passed, 0 failed')
} else {
  const work = mkdtempSync(join(tmpdir(), 'boxyard-clients-'))
  try {
    process.exitCode = (await run(work)) ? 0 : 1
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

async function run(work: string): Promise<boolean> {
  const dataDir = join(work, 'data')
  const server = await serve(dataDir, ['--owner', owner])
  const scratch = join(work, 'scratch')
  let lines: string[]
  let ended: number | null
  try {
    await boxyard(['user', 'password', owner, '--password-stdin', '--data', dataDir], {
      input: `${password}\n`
    })
    const token = await boxyard(['token', 'create', '--user', owner, '--data', dataDir])
    lines = await drive(server.url, {
      TOKEN: token,
      ORG: owner,
      LOGIN: owner,
      PASSWORD: password,
      WORK: scratch
    })
  } finally {
    ended = await server.stop()
  }
  const starting = (word: string): string[] => lines.filter((line) => line.startsWith(`${word} `))
  const passed = starting('PASS').length
  const failures = starting('FAIL')
  const skips = starting('SKIP')
  for (const failure of failures) explain(failure, readFileSync(join(scratch, 'log.txt'), 'utf8'))
  for (const skip of skips) console.log(`SKIPPED ${skip.slice('SKIP '.length)}`)
  const lost = skips.length === 0 ? Math.max(0, steps - passed - failures.length) : 0
  if (lost > 0) console.log(`${lost} of the ${steps} steps were not taken.`)
  if (ended !== 0) console.log(`The server ended with ${ended} when asked to stop.`)
  const failed = failures.length + lost + (ended === 0 ? 0 : 1)
  console.log(`${passed} passed, ${failed} failed`)
  return failed === 0
}

/** Runs the script and passes on its lines as they come. */
async function drive(url: string, env: Record<string, string>): Promise<string[]> {
  const child = spawn('bash', [join(import.meta.dirname, 'drive-clients.sh'), url], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env }
  })
  const lines: string[] = []
  for await (const line of createInterface(child.stdout)) {
    console.log(line)
    lines.push(line)
  }
  return lines
}

/** What the client of a failed step said, from the script's log. */
function explain(failure: string, log: string): void {
  const name = failure.slice('FAIL '.length, failure.indexOf(' (rc='))
  const section = log.split(/^### /m).find((text) => text.startsWith(`${name}: `))
  if (section) console.log(section.trimEnd().replaceAll(/^/gm, '    '))
}
