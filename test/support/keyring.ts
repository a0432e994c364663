import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { program, provide } from './system-packages.ts'

/** Why there can be no keychain for tests here, with what would help; null when there can. */
export function keyringMissing(): string | null {
  if (process.platform !== 'linux') return 'they need a Linux with GNOME Keyring'
  return provide([
    program('dbus-daemon', 'dbus'),
    program('gnome-keyring-daemon', 'gnome-keyring'),
    program('secret-tool', 'libsecret-tools'),
    { package: 'libsecret-1-0', probe: '/sbin/ldconfig -p | grep -q libsecret-1.so.0' }
  ])
}

/** The environment of these tests, without what would lead to the session of whoever runs them. */
export function withoutSession(): NodeJS.ProcessEnv {
  const env = { ...process.env }
  const names = ['DBUS_SESSION_BUS_ADDRESS', 'XDG_RUNTIME_DIR', 'DISPLAY', 'WAYLAND_DISPLAY']
  for (const name of [...names, 'BOXYARD_KEYCHAIN_WAIT']) delete env[name]
  return env
}

/** A message bus of its own, as a session of a person has one, with or without a keychain on it. */
export interface Session {
  /** What a program of that session finds in its environment. */
  readonly env: NodeJS.ProcessEnv
  /** Locks the keychain; nobody is there who could unlock it. */
  lock(): void
  /** What another program reads from the keychain under that account; null for nothing. */
  lookUp(account: string): string | null
  /** The accounts of all that Boxyard keeps there. */
  accounts(): string[]
  end(): Promise<void>
}

/** Starts one. `refusing` is a bus that lets nobody talk to the keychain. */
export async function startSession({
  keyring = true,
  refusing = false
}: { keyring?: boolean; refusing?: boolean } = {}): Promise<Session> {
  const root = mkdtempSync(join(tmpdir(), 'boxyard-session-'))
  const below = (name: string): string => {
    mkdirSync(join(root, name), { recursive: true, mode: 0o700 })
    return join(root, name)
  }
  const env: NodeJS.ProcessEnv = {
    ...withoutSession(),
    HOME: below('home'),
    XDG_RUNTIME_DIR: below('run'),
    XDG_DATA_HOME: below('data'),
    XDG_CONFIG_HOME: below('config'),
    XDG_CACHE_HOME: below('cache')
  }
  const children: ChildProcess[] = []
  const end = async (): Promise<void> => {
    for (const child of children.reverse()) await ended(child)
    rmSync(root, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    const bus = spawn(
      'dbus-daemon',
      ['--nofork', '--print-address', '--config-file', busFile(root, refusing)],
      {
        env,
        stdio: ['ignore', 'pipe', 'ignore']
      }
    )
    children.push(bus)
    env['DBUS_SESSION_BUS_ADDRESS'] = await firstLine(bus)
    if (keyring) {
      const daemon = spawn('gnome-keyring-daemon', ['--foreground', '--unlock', '--components=secrets'], {
        env,
        stdio: ['pipe', 'ignore', 'ignore']
      })
      children.push(daemon)
      daemon.stdin.end('the password of the keyring')
      await until(() =>
        sent(
          env,
          'org.freedesktop.DBus',
          '/',
          'org.freedesktop.DBus.NameHasOwner',
          'string:org.freedesktop.secrets'
        ).includes('true')
      )
    }
  } catch (error) {
    await end()
    throw error
  }
  const secretTool = (...args: string[]): string =>
    spawnSync('secret-tool', args, { env, encoding: 'utf8' }).stdout
  return {
    env,
    lock: () =>
      void sent(
        env,
        'org.freedesktop.secrets',
        '/org/freedesktop/secrets',
        'org.freedesktop.Secret.Service.Lock',
        'array:objpath:/org/freedesktop/secrets/collection/login'
      ),
    lookUp: (account) => secretTool('lookup', 'service', 'Boxyard', 'account', account) || null,
    accounts() {
      const { stdout, stderr } = spawnSync('secret-tool', ['search', '--all', 'service', 'Boxyard'], {
        env,
        encoding: 'utf8'
      })
      return [...`${stdout}\n${stderr}`.matchAll(/^attribute\.account = (.*)$/gm)].map(
        ([, account]) => account as string
      )
    },
    end
  }
}

/** A bus that takes connections and never says anything. */
export interface SilentBus {
  readonly env: NodeJS.ProcessEnv
  /** Resolves once somebody asked it, and waits. */
  readonly asked: Promise<void>
  /** Resolves once everybody who asked it has given up. */
  end(): Promise<void>
}

/** Whoever asks it waits until they give up. */
export async function startSilentBus(): Promise<SilentBus> {
  const root = mkdtempSync(join(tmpdir(), 'boxyard-silent-'))
  const server = createServer((socket) => socket.on('error', () => {}).resume())
  const asked = new Promise<void>((resolve) => server.once('connection', () => resolve()))
  const path = join(root, 'bus')
  await new Promise<void>((resolve) => server.listen(path, resolve))
  return {
    env: { ...withoutSession(), DBUS_SESSION_BUS_ADDRESS: `unix:path=${path}` },
    asked,
    async end() {
      await new Promise((resolve) => server.close(resolve))
      rmSync(root, { recursive: true, force: true })
    }
  }
}

/** No folders of services: this bus starts nothing by itself. */
function busFile(root: string, refusing: boolean): string {
  const file = join(root, 'bus.conf')
  const refusal = refusing ? '<deny send_destination="org.freedesktop.secrets"/>' : ''
  writeFileSync(
    file,
    `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
      "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig>
      <type>session</type>
      <listen>unix:dir=${root}</listen>
      <auth>EXTERNAL</auth>
      <policy context="default">
        <allow send_destination="*" eavesdrop="true"/>
        <allow eavesdrop="true"/>
        <allow own="*"/>
        ${refusal}
      </policy>
    </busconfig>`
  )
  return file
}

function sent(env: NodeJS.ProcessEnv, to: string, path: string, method: string, argument: string): string {
  return spawnSync('dbus-send', ['--session', '--print-reply', `--dest=${to}`, path, method, argument], {
    env,
    encoding: 'utf8'
  }).stdout
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout) for await (const line of createInterface(child.stdout)) return line
  throw new Error('The message bus did not start.')
}

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (isSo()) return
    await sleep(25)
  }
  throw new Error('The keyring did not come up.')
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGKILL')
  })
}
