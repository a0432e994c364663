import { Readable } from 'node:stream'
import type { OpenedBytes } from '../../end.ts'
import { RemoteFailure } from '../../failure.ts'
import type { Api } from './api.ts'
import type { ShownImage } from './documents.ts'
import type { Incoming } from './exchange.ts'
import { downloadHop, isRedirect, mostRedirects, type Hop } from './redirects.ts'
import { odd } from './said.ts'

/** Opens the file of an image from a byte on, as far as the other side knows how to. */
export async function download(
  api: Api,
  image: ShownImage,
  from: number,
  signal: AbortSignal
): Promise<OpenedBytes> {
  if (image.content.kind !== 'bytes' || image.downloadUrl === null)
    throw new RemoteFailure('missing', [
      `${api.host} has no file for ${image.provider} on ${image.architecture}: none was uploaded yet, or it lies elsewhere.`
    ])
  const { incoming, url } = await follow(api, image.downloadUrl, from, signal)
  const opened = await understand(api, url, incoming, from)
  if (opened === 'from-the-start') return download(api, image, 0, signal)
  const noted = image.content.size
  if (noted !== null && opened.size !== null && noted !== opened.size) {
    opened.body.destroy()
    throw new RemoteFailure('damaged', [
      `${api.host} says the file has ${noted} bytes and sends one of ${opened.size}. It is tried again; if that does not help, its operator has to look.`
    ])
  }
  return opened
}

async function follow(
  api: Api,
  address: string,
  from: number,
  signal: AbortSignal
): Promise<{ incoming: Incoming; url: URL }> {
  let hop: Hop | null = downloadHop(api.base, api.base, address)
  for (let hops = 0; hop !== null && hops <= mostRedirects; hops += 1) {
    const { url, withToken }: Hop = hop
    const headers = { accept: '*/*', ...(from > 0 && { range: `bytes=${from}-` }) }
    const incoming = await api.send({ method: 'GET', url, withToken, headers, fileFrom: from, signal })
    if (!isRedirect(incoming.status)) return { incoming, url }
    incoming.body.destroy()
    hop = downloadHop(api.base, url, incoming.headers.location ?? '')
  }
  throw new RemoteFailure('odd', [
    hop === null
      ? `${api.host} says the file lies at an address that is not safe to fetch it from, so it was not fetched.`
      : `${api.host} sends the download on from one address to the next without end.`
  ])
}

/** What an answer to a download means; `from-the-start` when a part cannot be had and the whole has to be asked for. */
async function understand(
  api: Api,
  url: URL,
  incoming: Incoming,
  from: number
): Promise<OpenedBytes | 'from-the-start'> {
  const { status, headers, body } = incoming
  const length = numberOf(headers['content-length'])
  switch (status) {
    case 200:
      if (isPage(headers['content-type'])) {
        body.destroy()
        throw odd(url.host, 'a web page in place of the file')
      }
      // The whole again is what some answer to a part after the end: there is nothing left to fetch.
      if (from > 0 && length === from) {
        body.destroy()
        return nothingLeft(from)
      }
      return { body, from: 0, size: length }
    case 206: {
      const range = /^bytes (\d+)-(\d+)\/(\d+|\*)$/i.exec(headers['content-range']?.trim() ?? '')
      const size = range ? numberOf(range[3]) : null
      const fits =
        range !== null &&
        from > 0 &&
        Number(range[1]) === from &&
        (size === null || Number(range[2]) === size - 1)
      if (fits) return { body, from, size }
      body.destroy()
      if (from > 0) return 'from-the-start'
      throw odd(url.host, 'a part of the file that was not asked for')
    }
    case 416: {
      body.destroy()
      const size = /^bytes \*\/(\d+)$/i.exec(headers['content-range']?.trim() ?? '')?.[1]
      if (from > 0 && Number(size) === from) return nothingLeft(from)
      if (from > 0) return 'from-the-start'
      throw odd(url.host, 'a refusal to send the file from its beginning')
    }
    case 404:
    case 410:
      body.destroy()
      throw new RemoteFailure('missing', [`The file is not at ${url.host} any more, or not for this token.`])
  }
  const failure = await api.refusal(incoming, false, url.host)
  // Storage that is not the registry's own knows no token: it is the address that is over, and the next one is another.
  if (url.origin !== api.base.origin && (status === 401 || status === 403))
    throw new RemoteFailure('expired', [`${url.host} does not give out the file at that address any more.`])
  throw failure
}

const nothingLeft = (from: number): OpenedBytes => ({ body: Readable.from([]), from, size: from })

const isPage = (type: string | undefined): boolean => /^\s*(text\/html|application\/xhtml)/i.test(type ?? '')

const numberOf = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null
