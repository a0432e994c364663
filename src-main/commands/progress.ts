import { sizeText } from '../contract/size-text.ts'

/** How often a terminal is written to; a log that is not one gets far fewer lines. */
const terminalEveryMs = 200
const logEveryMs = 10_000

/** Tells on standard error how far a long job is: on one line of a terminal, or now and then in a log. */
export function showProgress(what: string, stream: NodeJS.WriteStream = process.stderr) {
  let last = Date.now()
  let shown = false
  return {
    show(done: number, total: number | null): void {
      const now = Date.now()
      if (now - last < (stream.isTTY ? terminalEveryMs : logEveryMs)) return
      last = now
      shown = true
      const line = `${what} ${sizeText(done)}${total === null ? '' : ` of ${sizeText(total)}`}`
      stream.write(stream.isTTY ? `\r${line}\x1b[K` : `${line}\n`)
    },
    clear(): void {
      if (shown && stream.isTTY) stream.write('\r\x1b[K')
      shown = false
    }
  }
}
