/** Which Node runs the product, and how it is handed its arguments, its terminal and its signals. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inRoot, root } from './paths.mjs'

/** The database's add-on needs this version of the add-on interface: Node 22.14 and newer have it. */
const neededInterface = 10
const here = Number(process.versions.napi) >= neededInterface

/** A Node that can run the product: this one, or the one that came with the dependencies. */
export function suitableNode() {
  if (here) return process.execPath
  const supplied = inRoot('node_modules', '.bin', 'node')
  if (existsSync(supplied)) return supplied
  throw new Error(
    `Node ${process.versions.node} is too old and none newer comes with the dependencies on this system. Install Node 22.14 or newer.`
  )
}

/** The environment in which `node` means the suitable one for everything that is started below. */
export const childEnvironment = (env = process.env) => ({
  ...env,
  PATH: [inRoot('node_modules', '.bin'), env.PATH].join(delimiter)
})

/** npm runs scripts in the project's folder; the files a person names are where they called npm from. */
export function fromWhereNpmWasCalled() {
  if (process.env.npm_lifecycle_event && process.env.INIT_CWD) process.chdir(process.env.INIT_CWD)
}

/** Runs the built command line: in this very process where it can, so that signals and the process id are its own. */
export async function runProduct(args) {
  fromWhereNpmWasCalled()
  const entry = inRoot('out', 'main', 'cli.js')
  if (here) {
    process.argv = [process.execPath, entry, ...args]
    await import(pathToFileURL(entry).href)
    return
  }
  process.exitCode = await runToEnd(suitableNode(), [entry, ...args], { stdio: 'inherit' })
}

/** Resolves with the exit code. Signals meant for this process are for the program it runs, which decides what they mean. */
export function runToEnd(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: process.cwd(), env: childEnvironment(), ...options })
    const signals = ['SIGTERM', 'SIGINT', 'SIGHUP']
    const forward = (signal) => void child.kill(signal)
    for (const signal of signals) process.on(signal, forward)
    const done = (settle, value) => {
      for (const signal of signals) process.off(signal, forward)
      settle(value)
    }
    child.on('error', (error) => done(reject, error))
    child.on('close', (code, signal) => done(resolve, code ?? 128 + constants.signals[signal]))
    options.onStart?.(child)
  })
}

/** Runs npm itself, the same one that runs us where that is known. */
export function npm(args, options) {
  const script = process.env.npm_execpath
  const [command, first] = script?.endsWith('.js') ? [process.execPath, [script]] : ['npm', []]
  return runToEnd(command, [...first, ...args], { cwd: root, ...options })
}
