import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** What a program printed, once it has ended well. */
export async function output(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {}
): Promise<string> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } })
  let printed = ''
  let complaint = ''
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString('utf8')))
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString('utf8')))
  const code = await new Promise<number | null>((done, fail) => child.on('close', done).on('error', fail))
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${complaint.trim()}`)
  return printed
}

/** How long a program took from its start to its end, in seconds. */
export async function seconds(command: string, args: readonly string[]): Promise<number> {
  const start = performance.now()
  await output(command, args)
  return (performance.now() - start) / 1000
}

/** A transfer by curl: its own measure of the seconds it took, and an error for any answer but success. */
export async function curlSeconds(...args: string[]): Promise<number> {
  // Of two files for one address, curl takes the first.
  const into = args.includes('-o') ? [] : ['-o', '/dev/null']
  const format = ['-sS', '--fail', '--noproxy', '*', ...into, '-w', '%{time_total}']
  return Number(await output('curl', [...format, ...args]))
}

/** Requests a second that wrk gets from a URL, one thread and 32 connections. */
export async function requestsPerSecond(
  url: string,
  duration: number,
  headers: Record<string, string>
): Promise<number> {
  const given = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const report = await output('wrk', ['-t1', '-c32', `-d${duration}s`, ...given, url])
  const refused = /Non-2xx or 3xx responses: (\d+)/.exec(report)
  const rate = /Requests\/sec:\s+([\d.]+)/.exec(report)
  if (refused || !rate) throw new Error(`wrk did not get what it asked for:\n${report}`)
  return Number(rate[1])
}

/** nginx with one worker, a folder it serves and takes files into, on a port of its own on this machine only. */
export async function startNginx(
  dir: string,
  directives: string
): Promise<{ url: string; folder: string; stop(): Promise<void> }> {
  const port = await freePort()
  const folder = join(dir, 'files')
  for (const path of [folder, join(dir, 'bodies')]) mkdirSync(path, { recursive: true })
  const config = join(dir, 'nginx.conf')
  const temporary = ['proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${dir}/${kind};`)
    .join(' ')
  writeFileSync(
    config,
    `${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off; worker_processes 1; pid ${dir}/pid; error_log ${dir}/error.log;
events { worker_connections 256; }
http {
  access_log off; client_max_body_size 0; client_body_temp_path ${dir}/bodies; ${temporary}
  server { listen 127.0.0.1:${port}; root ${folder}; ${directives} }
}
`
  )
  const child = spawn('nginx', ['-p', dir, '-c', config], { stdio: ['ignore', 'ignore', 'inherit'] })
  await listening(child, port)
  return { url: `http://127.0.0.1:${port}`, folder, stop: () => ended(child, 'SIGQUIT') }
}

/** The answer given to every request by a server that does nothing else: the yardstick for what the rest of ours costs. */
export async function startBareServer(answer: {
  headers: Record<string, string>
  body: string
}): Promise<{ url: string; stop(): Promise<void> }> {
  const port = await freePort()
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bare-server.ts'), String(port)], {
    stdio: ['pipe', 'ignore', 'inherit']
  })
  child.stdin.end(JSON.stringify(answer))
  await listening(child, port)
  return { url: `http://127.0.0.1:${port}`, stop: () => ended(child, 'SIGTERM') }
}

/** The most memory a process had in use since the last reset, in bytes. */
export const peakMemory = (pid: number): number => status(pid, 'VmHWM')
export const usedMemory = (pid: number): number => status(pid, 'VmRSS')
export const resetPeakMemory = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5')

function status(pid: number, field: string): number {
  const found = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return 1024 * Number(found?.[1])
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  const { port } = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  return port
}

async function listening(child: ChildProcess, port: number): Promise<void> {
  const accepts = (): Promise<boolean> =>
    new Promise((done) => {
      const socket = connect(port, '127.0.0.1')
      socket.on('connect', () => (socket.destroy(), done(true))).on('error', () => done(false))
    })
  while (!(await accepts())) {
    if (child.exitCode !== null)
      throw new Error(`${child.spawnfile} ended with ${child.exitCode} before it listened.`)
    await sleep(20)
  }
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const end = new Promise((done) => child.once('exit', done))
  child.kill(signal)
  await end
}
