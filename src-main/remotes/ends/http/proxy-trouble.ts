import { RemoteFailure } from '../../failure.ts'
import { brokenConnection } from './broken.ts'
import type { Proxy } from './proxy.ts'

/** The proxy itself could not be reached, or went away before it passed anything on. */
export function brokenProxy(error: unknown, proxy: Proxy, host: string): RemoteFailure {
  const at = new URL(`${proxy.secure ? 'https' : 'http'}://${proxy.host}`)
  const { kind, sentences, cause } = brokenConnection(error, at, { sent: false, changes: false })
  return new RemoteFailure(
    kind,
    [`${host} is reached through the proxy at ${proxy.host}, as ${proxy.variable} says.`, ...sentences],
    { cause }
  )
}

/** What a proxy answered instead of passing on. */
export function proxyRefused(status: number, proxy: Proxy, host: string): RemoteFailure {
  const at = `The proxy at ${proxy.host}`
  if (status === 407)
    return new RemoteFailure('untrusted', [
      proxy.authorization === null
        ? `${at} asks for a name and password before it lets anything through to ${host}.`
        : `${at} does not take the name and password in ${proxy.variable}, so ${host} was not reached.`,
      `Put the right ones into ${proxy.variable}, as in http://name:password@${proxy.host}, then start Boxyard again.`
    ])
  if (status >= 500 || status === 408 || status === 429)
    return new RemoteFailure('offline', [`${at} could not reach ${host} just now (status ${status}).`])
  return new RemoteFailure('untrusted', [
    `${at} refused to connect to ${host} (status ${status}).`,
    `Whoever runs it has to allow that. If ${host} can be reached without it, add it to NO_PROXY, then start Boxyard again.`
  ])
}
