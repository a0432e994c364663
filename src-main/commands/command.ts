import { InvalidArgumentError, Option, type Command } from 'commander'
import { createApp, type App } from '../app.ts'
import { defaultDataDir } from '../data-folder.ts'
import { Problem } from '../domain/problem.ts'
import { createLog, type Log } from '../log.ts'
import { isDiskFull } from '../store/failures.ts'

/** A command that works on a data folder; each one understands --data. */
export function dataCommand(
  parent: Command,
  nameAndArguments: string,
  description: string,
  options: { readonly isDefault?: boolean } = {}
): Command {
  return parent
    .command(nameAndArguments, options)
    .description(description)
    .addOption(
      new Option('--data <dir>', "the data folder (default: $BOXYARD_DATA, else this system's usual place)")
    )
}

/** Shows at the end of a command's help how it is used; what something else begins with is a whole line. */
export const withExamples = (command: Command, ...lines: string[]): Command =>
  command.addHelpText(
    'after',
    [
      '',
      'Examples:',
      ...lines.map((line) => `  $ ${line.includes('| boxyard ') ? line : `boxyard ${line}`}`)
    ].join('\n')
  )

/** Runs an action with the product opened on the command's data folder, and closes it whatever happens. */
export async function withApp<T>(
  options: { data?: string; repair?: boolean; uploadWait?: number },
  action: (app: App) => T | Promise<T>,
  log: Log = createLog()
): Promise<T> {
  const app = await createApp({
    dataDir: options.data ?? defaultDataDir(),
    log,
    repair: options.repair === true,
    uploadWait: options.uploadWait
  })
  try {
    return await action(app)
  } finally {
    await app.close()
  }
}

/** Reads the value of an option that takes a count. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = /^\d+$/.test(text) ? Number(text) : NaN
    if (number >= least && number <= most) return number
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`)
  }
}

const unitsInMs: Readonly<Record<string, number>> = {
  '': 1000,
  s: 1000,
  m: 60_000,
  h: 60 * 60_000,
  d: 24 * 60 * 60_000
}

/** Reads the value of an option that takes a time; in milliseconds. */
export function duration(text: string): number {
  const [, digits, unit = ''] = /^(\d{1,9})([smhd]?)$/.exec(text) ?? []
  if (digits === undefined) throw new InvalidArgumentError('It must be a time like 0, 90s, 30m, 12h or 7d.')
  return Number(digits) * (unitsInMs[unit] ?? 1)
}

/** Results go to standard output, one thing a line, so that scripts can read them. */
export function print(line: string): void {
  printed = true
  process.stdout.write(`${line}\n`)
}

let printed = false
/** Whether there was any result. */
export const hasPrinted = (): boolean => printed

/** Far more than anybody has a use for, and little enough to keep in memory. */
const longestInput = 1024 * 1024

/** The whole of standard input as text, without the newline a shell puts at its end. */
export async function readStdin(): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of process.stdin) {
    length += (chunk as Buffer).length
    if (length > longestInput)
      throw new Problem('invalid', `Standard input holds more than ${longestInput} bytes; that is too much.`)
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '')
}

/** The one line a person gets when a command fails. */
export function describeFailure(error: unknown): string {
  if (error instanceof Problem) return error.sentences.join(' ')
  if (error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY')
    return 'Another process has been writing to the data folder for a long time; try again when it is done.'
  if (isDiskFull(error)) return 'The disk is full; make room and try again.'
  return error instanceof Error ? error.message : String(error)
}
