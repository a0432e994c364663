import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'

const root = resolve(import.meta.dirname, '../..')

/**
 * The built command line, built first if a source changed; asked for once, so that one run sees one build. BOXYARD_OUT
 * names another build, which is taken as it is.
 */
let built: string | null = null
function entry(): string {
  const given = process.env['BOXYARD_OUT']
  if (given !== undefined) return resolve(given, 'main/cli.js')
  if (built === null) {
    const prepared = spawnSync(process.execPath, [join(root, '.ci/launch.mjs'), 'prepare'], {
      stdio: 'inherit'
    })
    if (prepared.status !== 0) throw new Error('There is no build to test.')
    built = join(root, 'out/main/cli.js')
  }
  return built
}

/** A running server as its one line of JSON describes it. */
export interface Served {
  readonly url: string
  readonly owner: string
  readonly pid: number
  /** Where the interface is, if it was asked for. */
  readonly ui?: string
  readonly process: ChildProcess
  /** Asks it to end and resolves with its exit code. */
  stop(): Promise<number | null>
}

/** Warnings and errors go to this process's standard error. */
const showTrouble = (line: string): void => {
  if (!/^\S+Z info /.test(line)) console.error(line)
}

/** The built server, on a free port unless the arguments say another. */
export async function serve(
  dataDir: string,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
  onLog: (line: string) => void = showTrouble
): Promise<Served> {
  const child = spawn(
    process.execPath,
    [entry(), 'serve', '--json', '--port', '0', '--data', dataDir, ...args],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env }
    }
  )
  createInterface(child.stderr).on('line', onLog)
  const ended = new Promise<number | null>((done) => child.on('exit', done))
  for await (const line of createInterface(child.stdout)) {
    const report = JSON.parse(line) as Pick<Served, 'url' | 'owner' | 'pid' | 'ui'>
    return {
      ...report,
      process: child,
      stop() {
        child.kill('SIGTERM')
        return ended
      }
    }
  }
  throw new Error(`The server ended with ${await ended} before it was ready.`)
}

/** One command of the built product: what it prints, without the last newline. Its complaints are told when it fails. */
export async function boxyard(
  args: readonly string[],
  { input = '', env = {} }: { input?: string; env?: NodeJS.ProcessEnv } = {}
): Promise<string> {
  const child = spawn(process.execPath, [entry(), ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...env }
  })
  let printed = ''
  let complaints = ''
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString('utf8')))
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString('utf8')))
  child.stdin.end(input)
  const code = await new Promise<number | null>((done) => child.on('close', done))
  if (code !== 0)
    throw new Error(`boxyard ${args.slice(0, 2).join(' ')} ended with ${code}: ${complaints.trim()}`)
  return printed.trimEnd()
}
