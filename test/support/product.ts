import { spawn, type ChildProcess } from 'node:child_process'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'

const root = resolve(import.meta.dirname, '../..')
const launcher = join(root, '.ci/launch.mjs')

/** A running server as its one line of JSON describes it. */
export interface Served {
  readonly url: string
  readonly owner: string
  readonly pid: number
  readonly process: ChildProcess
  /** Asks it to end and resolves with its exit code. */
  stop(): Promise<number | null>
}

/** The built product, through the launcher, as a person starts it. What it logs goes to this process's standard error. */
export async function serve(
  dataDir: string,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {}
): Promise<Served> {
  const child = spawn(
    process.execPath,
    [launcher, 'boxyard', 'serve', '--json', '--port', '0', '--data', dataDir, ...args],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...env }
    }
  )
  const ended = new Promise<number | null>((done) => child.on('exit', done))
  for await (const line of createInterface(child.stdout)) {
    const { url, owner, pid } = JSON.parse(line) as Pick<Served, 'url' | 'owner' | 'pid'>
    return {
      url,
      owner,
      pid,
      process: child,
      stop() {
        child.kill('SIGTERM')
        return ended
      }
    }
  }
  throw new Error(`The server ended with ${await ended} before it was ready.`)
}

/** One command of the built product: what it prints, without the last newline. */
export async function boxyard(args: readonly string[], input = ''): Promise<string> {
  const child = spawn(process.execPath, [launcher, 'boxyard', ...args], {
    stdio: ['pipe', 'pipe', 'inherit']
  })
  let printed = ''
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString('utf8')))
  child.stdin.end(input)
  const code = await new Promise<number | null>((done) => child.on('close', done))
  if (code !== 0) throw new Error(`boxyard ${args.slice(0, 2).join(' ')} ended with ${code}.`)
  return printed.trimEnd()
}
