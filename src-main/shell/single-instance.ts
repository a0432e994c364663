import { app } from 'electron'
import { handedOver, type HandOver } from './hand-over.ts'

/**
 * Whether this is the first program on its folders. A later one hands over what it was asked for, which `receive` of the
 * first is told, and has to end.
 */
export function isFirst({ files, links }: HandOver, receive: (asked: HandOver) => void): boolean {
  // Not by its command line, which Chromium hands over in an order and with additions of its own.
  if (!app.requestSingleInstanceLock({ files, links })) return false
  app.on('second-instance', (_event, _commandLine, _folder, additional) => receive(handedOver(additional)))
  return true
}
