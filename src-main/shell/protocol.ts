import type { Session } from 'electron'
import { contentSecurityPolicy, type Bundle } from '../desk/bundle.ts'
import { isOurs, scheme } from './origin.ts'

/** Serves the built interface, which was read into memory: no path in an address is ever opened (items 7 and 18). */
export function serveInterface(session: Session, bundle: Bundle): void {
  session.protocol.handle(scheme, (request) => answer(request, bundle))
}

/** What a request for a part of the interface gets. */
export function answer(request: Pick<Request, 'method' | 'url'>, bundle: Bundle): Response {
  const file =
    isOurs(request.url) && request.method === 'GET' ? bundle.get(new URL(request.url).pathname) : null
  if (!file) return new Response('There is nothing at this address.', { status: 404, headers })
  return new Response(new Uint8Array(file.body), { headers: { ...headers, 'content-type': file.type } })
}

const headers = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin'
}
