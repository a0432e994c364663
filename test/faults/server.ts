import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'

const cli = resolve(import.meta.dirname, '../../src-main/cli.ts')

/** A server in a process of its own, run from source, so that it can be killed by itself. */
export interface Server {
  readonly url: string
  readonly child: ChildProcess
  /** What it wrote to its log so far. */
  log(): string
  kill(): Promise<void>
  /** Asks it to end; resolves with the exit code. */
  stop(): Promise<number | null>
}

export async function startServer(dataDir: string): Promise<Server> {
  const child = spawn(
    process.execPath,
    [cli, 'serve', '--json', '--port', '0', '--owner', 'acme', '--data', dataDir],
    { stdio: ['ignore', 'pipe', 'pipe'] }
  )
  let log = ''
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString('utf8')))
  const ended = once(child, 'exit') as Promise<[number | null]>
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal)
    return (await ended)[0]
  }
  onTestFinished(async () => void (await end('SIGKILL')))
  for await (const line of createInterface(child.stdout)) {
    const { url } = JSON.parse(line) as { url: string }
    return {
      url,
      child,
      log: () => log,
      kill: async () => void (await end('SIGKILL')),
      stop: () => end('SIGTERM')
    }
  }
  throw new Error(`the server ended with ${(await ended)[0]} before it was ready:\n${log}`)
}

/** One command on a data folder: its exit code and what it wrote. */
export async function run(dataDir: string, ...args: readonly string[]) {
  const child = spawn(process.execPath, [cli, ...args, '--data', dataDir], {
    stdio: ['ignore', 'pipe', 'pipe']
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString('utf8')))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout: stdout.trimEnd(), stderr: stderr.trimEnd() }
}

/** A token of the owner. */
export async function newToken(dataDir: string): Promise<string> {
  const { code, stdout, stderr } = await run(dataDir, 'token', 'create')
  if (code !== 0) throw new Error(`no token: ${stderr}`)
  return stdout
}
