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
    write(`${new Date().toISOString()} ${level.padEnd(5)} ${message}\n`)
  return {
    info: (message) => line('info', message),
    warn: (message) => line('warn', message),
    error: (message, cause) => line('error', cause === undefined ? message : `${message}: ${describe(cause)}`)
  }
}

/** For tests and one-shot commands that have nothing to tell but their result. */
export const silentLog: Log = { info() {}, warn() {}, error() {} }

function describe(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
}
