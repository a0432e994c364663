/** What the program tells its operator. Lines go to standard error; results of commands never do. */
export interface Log {
  info(message: string): void
  warn(message: string): void
  error(message: string, cause?: unknown): void
}

type Level = 'info' | 'warn' | 'error'

/** One plain line an event. Callers never pass tokens, passwords or whole URLs: what is written here may be shared. */
export function createLog(write: (line: string) => void = (line) => void process.stderr.write(line)): Log {
  const line = (level: Level, message: string): void =>
    write(`${new Date().toISOString()} ${level.padEnd(5)} ${contained(message)}\n`)
  return {
    info: (message) => line('info', message),
    warn: (message) => line('warn', message),
    error: (message, cause) => line('error', withCause(message, cause))
  }
}

/** What others said may be in it: no part of that can look like a line of its own, or do anything to a terminal. */
const contained = (message: string): string =>
  message.replaceAll(/[^\P{Cc}\n\t]/gu, '?').replaceAll('\n', '\n      ')

/** For tests and one-shot commands that have nothing to tell but their result. */
export const silentLog: Log = { info() {}, warn() {}, error() {} }

/** A message of the log, with what is known of its cause. */
export function withCause(message: string, cause: unknown): string {
  if (cause === undefined) return message
  return `${message}: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`
}
