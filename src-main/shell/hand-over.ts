/** What a start was asked for: box files, and links to places. */
export interface HandOver {
  readonly files: readonly string[]
  readonly links: readonly string[]
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
