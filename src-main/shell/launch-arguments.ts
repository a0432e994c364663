import { isAbsolute, resolve } from 'node:path'
import { linkScheme } from './origin.ts'

/** What a command line asks of the desktop. */
export interface Launch {
  readonly data?: string
  readonly host?: string
  readonly port?: number
  readonly owner?: string
  /** Started by the system at login: without a window, if it may stay in the tray. */
  readonly hidden: boolean
  /** Box files and folders to take in. */
  readonly files: readonly string[]
  /** Addresses of places, not looked into yet. */
  readonly links: readonly string[]
  /** What cannot be understood, a sentence each. */
  readonly problems: readonly string[]
}

const named = ['data', 'host', 'port', 'owner'] as const
const mostFiles = 1_000

/**
 * Reads the arguments after the program's own name. Switches it does not know are Chromium's or the system's, and left
 * alone; whatever is no switch is a file or a link.
 */
export function readLaunch(args: readonly string[], folder: string): Launch {
  const values: { [K in (typeof named)[number]]?: string } = {}
  const files: string[] = []
  const links: string[] = []
  const problems: string[] = []
  let hidden = false
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? ''
    const [, name, , inline] = /^--([a-z-]+)(=(.*))?$/s.exec(arg) ?? []
    const known = named.find((one) => one === name)
    if (known) {
      const value = inline ?? args[(index += 1)]
      if (value === undefined || value === '') problems.push(`--${known} needs a value.`)
      else values[known] = value
    } else if (arg === '--hidden') hidden = true
    else if (arg.toLowerCase().startsWith(`${linkScheme}:`)) links.push(arg)
    else if (arg !== '' && !arg.startsWith('-') && files.length < mostFiles)
      files.push(isAbsolute(arg) ? arg : resolve(folder, arg))
  }
  const { port, data, ...rest } = values
  const number = port === undefined ? undefined : portOf(port)
  if (number === null) problems.push(`--port ${port} must be a whole number from 0 to 65535.`)
  return {
    ...rest,
    ...(data !== undefined && { data: resolve(folder, data) }),
    ...(typeof number === 'number' && { port: number }),
    hidden,
    files,
    links,
    problems
  }
}

const portOf = (text: string): number | null =>
  /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : null
