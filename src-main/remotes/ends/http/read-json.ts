import type { Incoming } from './exchange.ts'
import type { HttpLimits } from './limits.ts'
import { tooSlow } from './broken.ts'
import { odd } from './said.ts'

/** What an answer held, as far as it is one of a registry. */
export type Read = { readonly isJson: true; readonly json: unknown } | { readonly isJson: false }

const jsonType = /^application\/([a-z0-9.+-]+\+)?json\b/i

/** Whether it says so of itself, or nothing. */
export function isSaidToBeJson({ headers }: Pick<Incoming, 'headers'>): boolean {
  const type = headers['content-type']?.trim() ?? ''
  return type === '' || jsonType.test(type)
}

/** Reads an answer as JSON, within bounds; whatever is none is read no further than to be told apart. */
export async function readJson(
  incoming: Incoming,
  host: string,
  { jsonBytes, jsonTime }: HttpLimits
): Promise<Read> {
  const { body } = incoming
  if (!isSaidToBeJson(incoming)) {
    body.destroy()
    return { isJson: false }
  }
  const timer = setTimeout(
    () => body.destroy(tooSlow(`${host} took too long to answer.`, { sent: true, changes: false })),
    jsonTime
  )
  try {
    const chunks: Buffer[] = []
    let length = 0
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      length += chunk.length
      if (length > jsonBytes) throw odd(host, `more than ${jsonBytes} bytes at once`)
    }
    return parsed(Buffer.concat(chunks, length).toString('utf8'))
  } finally {
    clearTimeout(timer)
  }
}

function parsed(text: string): Read {
  if (text.trim() === '') return { isJson: true, json: null }
  try {
    return { isJson: true, json: JSON.parse(text) as unknown }
  } catch {
    return { isJson: false }
  }
}
