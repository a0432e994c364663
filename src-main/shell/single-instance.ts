import { app } from 'electron'

/** What a start was asked for: box files, and links to places. */
export interface HandOver {
  readonly files: readonly string[]
  readonly links: readonly string[]
}

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

const most = { count: 1_000, length: 32_768 }

/** Another version of the program may have sent it, or another program of the same person. */
export function handedOver(sent: unknown): HandOver {
  const { files, links } = (typeof sent === 'object' && sent !== null ? sent : {}) as Record<string, unknown>
  return { files: texts(files), links: texts(links) }
}

const texts = (value: unknown): string[] =>
  Array.isArray(value)
    ? value
        .filter((one): one is string => typeof one === 'string' && one.length <= most.length)
        .slice(0, most.count)
    : []
