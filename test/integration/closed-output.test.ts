import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

const cli = resolve(import.meta.dirname, '../../src-main/cli.ts')

it('a command whose output nobody reads to its end, as of `| head`, ends without a word', async () => {
  const child = spawn(process.execPath, [cli, '--help'], { stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.destroy()
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  await once(child, 'close')
  expect(said).not.toContain('EPIPE')
})
