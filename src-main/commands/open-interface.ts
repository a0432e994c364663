import type { Log } from '../log.ts'
/** Written next. */
export function openInterface(address: string, log: Log): void {
  log.warn(`Open ${address} in a browser.`)
}
