import { isLoopback } from '../../trust.ts'

/** Where a request may go, and whether it may carry the token there. */
export interface Hop {
  readonly url: URL
  readonly withToken: boolean
}

export const mostRedirects = 5

export const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status)

const parsed = (address: string, base: URL): URL | null => {
  if (!URL.canParse(address, base)) return null
  const url = new URL(address, base)
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null
  return withinTls(url, base)
}

/**
 * A registry behind something that speaks TLS for it writes addresses of its own as it knows them, with plain http: the
 * same host is meant, and reached as it was before.
 */
function withinTls(url: URL, base: URL): URL {
  if (base.protocol !== 'https:' || url.protocol !== 'http:' || url.hostname !== base.hostname) return url
  const upgraded = new URL(url)
  upgraded.protocol = 'https:'
  upgraded.port = base.port
  return url.port === '' || url.port === base.port ? upgraded : url
}

/** The next address of a call of the API: its own registry's alone. */
export function nextOfCall(api: URL, from: URL, location: string): URL | null {
  const url = parsed(location, from)
  return url?.origin === api.origin ? url : null
}

/**
 * Whether bytes may go to or come from there: plain http was allowed for the remote's own machine alone, and a remote has no
 * business with what listens on this machine for this machine.
 */
const isSafe = (api: URL, url: URL): boolean =>
  url.protocol === 'https:' ||
  (api.protocol === 'http:' &&
    (url.hostname === api.hostname || (isLoopback(api.hostname) && isLoopback(url.hostname))))

/** Where a file is fetched: anywhere as safe as the API itself is. Only the API's own origin is given the token. */
export function downloadHop(api: URL, from: URL, location: string): Hop | null {
  const url = parsed(location, from)
  return url && isSafe(api, url) ? { url, withToken: url.origin === api.origin } : null
}

/** Where a file may be sent; never with the token: the address itself says that it is allowed. */
export function uploadAddress(api: URL, address: string): URL | null {
  const url = parsed(address, api)
  return url && isSafe(api, url) ? url : null
}

/** The call that completes an upload: whatever host it names, it is the API's own that is called. */
export function callbackAddress(api: URL, address: string): URL | null {
  if (!URL.canParse(address, api)) return null
  const { pathname, search } = new URL(address, api)
  return /^\/(.+\/)?api\/v[12]\//.test(pathname) ? new URL(pathname + search, api.origin) : null
}
