import { fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { workerFile } from '../worker-file.ts'
import type { KeychainReply, KeychainRequest } from './keychain-messages.ts'
import { troubleOf } from './keychain-trouble.ts'

/** A process that was started to do one thing. */
export interface HelperProcess {
  send(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
  /** Also when it could not be started at all. */
  onEnd(listener: (why: string) => void): void
  kill(): void
}

/** Starts one; the desktop has a way of its own. */
export type StartHelper = (file: string, environment: Readonly<Record<string, string>>) => HelperProcess

const inNode: StartHelper = (file, env) => {
  const child = fork(file, [], { env, execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  return {
    send: (message) => void child.send(message as object, () => {}),
    onMessage: (listener) => void child.on('message', listener),
    onEnd(listener) {
      child.on('error', (error) => listener(error.message))
      child.on('exit', (code, signal) => listener(`its process ended (${signal ?? code})`))
    },
    kill: () => void child.kill('SIGKILL')
  }
}

/** How the keychain is asked. */
export interface AskOptions {
  readonly start?: StartHelper | undefined
  readonly waitMs: number
  readonly environment: NodeJS.ProcessEnv
  readonly signal: AbortSignal
}

/** Asks the keychain one thing, in a process of its own that is gone when this resolves. Never rejects. */
export function askKeychain(
  request: KeychainRequest,
  { start = inNode, waitMs, environment: all, signal }: AskOptions
): Promise<KeychainReply> {
  const environment = environmentFor(all, process.platform)
  if (environment === null) return Promise.resolve({ trouble: 'no-bus', message: '' })
  return new Promise<KeychainReply>((resolve) => {
    const settle = (reply: KeychainReply): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve(reply)
      helper.kill()
    }
    const end = (): void => settle({ trouble: 'silent', message: '' })
    const timer = setTimeout(end, waitMs)
    signal.addEventListener('abort', end, { once: true })
    const helper = start(fileURLToPath(workerFile('vault/keychain-worker.ts')), environment)
    helper.onMessage((reply) => settle(reply as KeychainReply))
    helper.onEnd((why) => settle(troubleOf(why)))
    helper.send(request)
    if (signal.aborted) end()
  }).catch(troubleOf) // no process could be started
}

/**
 * What that process gets to know. Null where a Linux session has no bus: libraries would then try to start one, and wait
 * for a person who is not there. A display would have them do so as well; keychains ask for passwords by themselves.
 */
export function environmentFor(
  all: NodeJS.ProcessEnv,
  platform: NodeJS.Platform
): Record<string, string> | null {
  const environment = Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) =>
      value === undefined || name.startsWith('BOXYARD_') ? [] : [[name, value]]
    )
  )
  if (platform !== 'linux') return environment
  const runtime = all['XDG_RUNTIME_DIR']
  const hasBus = Boolean(all['DBUS_SESSION_BUS_ADDRESS']) || (runtime && existsSync(join(runtime, 'bus')))
  if (!hasBus) return null
  for (const name of ['DISPLAY', 'WAYLAND_DISPLAY']) delete environment[name]
  return environment
}
