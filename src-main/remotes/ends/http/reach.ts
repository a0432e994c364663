import type { Access, End, Introduction } from '../../end.ts'
import { RemoteFailure } from '../../failure.ts'
import { checkPlainHttp, trustedCertificates } from '../../trust.ts'
import { Api } from './api.ts'
import { Exchange } from './exchange.ts'
import { HttpEnd } from './http-end.ts'
import { introduce } from './introduce.ts'
import { usualLimits, type HttpLimits } from './limits.ts'
import type { Environment } from './proxy.ts'
import { Routes } from './routes.ts'

/** Reaches a registry over HTTP and finds out who it is. */
export async function reachHttp(
  { location, api: version, token, allowPlainHttp, certificates }: Access,
  signal: AbortSignal,
  limits: Partial<HttpLimits> = {},
  environment: Environment = process.env
): Promise<{ readonly end: End; readonly introduction: Introduction }> {
  const base = baseOf(location)
  checkPlainHttp(base.href, allowPlainHttp)
  const all = { ...usualLimits, ...limits }
  const routes = new Routes({
    authorities: () => trustedCertificates(certificates),
    connectTime: all.connectTime,
    environment
  })
  const exchange = new Exchange(all, routes)
  const api = new Api({ base, token: token === '' ? null : token, limits: all, exchange })
  try {
    const met = await introduce(api, version, signal)
    return { end: new HttpEnd(api, met), introduction: met.introduction }
  } catch (error) {
    api.close()
    throw error
  }
}

function baseOf(location: string): URL {
  const url = URL.canParse(location) ? new URL(location) : null
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') {
    url.search = ''
    url.hash = ''
    return url
  }
  throw new RemoteFailure('odd', [
    'The address of this remote is none of a registry: it must begin with https:// or http://, without a name and password in it.'
  ])
}
