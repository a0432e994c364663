import type { IncomingMessage } from 'node:http'
import { contentSecurityPolicy } from '../desk/bundle.ts'

/** What every answer carries. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store'
}

/** Why a request is not looked at any further. */
export interface Turned {
  readonly status: 403 | 414 | 421
  readonly sentence: string
}

interface Asked {
  readonly port: number
  readonly urlLength: number
  /** For the page or one of its files, to which links of other sites may lead. */
  readonly isPage: boolean
}

/**
 * Refuses what another site may have caused. Pages of any site can send requests to this machine, under a name of their
 * own that points here or with the person's cookies; what tells them apart is what browsers say of a request by
 * themselves: the name in Host, Origin and Sec-Fetch-Site.
 */
export function turnedAway(
  { headers, url = '' }: Pick<IncomingMessage, 'headers' | 'url'>,
  { port, urlLength, isPage }: Asked
): Turned | null {
  const host = headers.host?.toLowerCase()
  if (!ownHosts(port).includes(host ?? ''))
    return {
      status: 421,
      sentence: 'The interface does not go by the name in the Host header. Use the address Boxyard printed.'
    }
  const { origin, 'sec-fetch-site': site } = headers
  if (origin !== undefined && origin.toLowerCase() !== `http://${host}`)
    return { status: 403, sentence: 'Pages of other sites may not use the interface.' }
  // Another port of this machine is another origin, yet the same site, and would be sent the cookie along.
  if (!isPage && site !== undefined && site !== 'same-origin' && site !== 'none')
    return { status: 403, sentence: 'Pages of other sites may not use the interface.' }
  if (url.length > urlLength)
    return { status: 414, sentence: `The address is longer than ${urlLength} characters.` }
  return null
}

/** Browsers leave the usual port out. */
const ownHosts = (port: number): string[] =>
  ['127.0.0.1', 'localhost', '[::1]'].flatMap((name) => [`${name}:${port}`, ...(port === 80 ? [name] : [])])
