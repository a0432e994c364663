import { BlockList, isIP } from 'node:net'
import { RemoteFailure } from '../../failure.ts'
import { isLoopback } from '../../trust.ts'

/** Variables, as of a process. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Where requests go that are to be passed on from there. */
export interface Proxy {
  /** Which variable says so. */
  readonly variable: string
  /** Without brackets. */
  readonly hostname: string
  readonly port: number
  /** As it is shown: never with what it is given to let somebody through. */
  readonly host: string
  /** Whether it is itself reached by TLS. */
  readonly secure: boolean
  /** For the header of that name; null where none is needed. */
  readonly authorization: string | null
}

/** How a request to the proxy itself gets there; over TLS it proves its own name, not the one the request is about. */
export const wayTo = ({ hostname, port, secure }: Proxy) => ({
  ...{ hostname, port },
  ...(secure && { servername: isIP(hostname) ? '' : hostname })
})

/** What it wants to see of who asks. */
export const headersFor = ({ authorization }: Proxy): Record<string, string> =>
  authorization === null ? {} : { 'proxy-authorization': authorization }

/**
 * The proxy for an address by the variables curl and vagrant go by, in lower case first; null when it is reached without
 * one. This machine always is.
 */
export function proxyFor(url: URL, environment: Environment): Proxy | null {
  if (isLoopback(url.hostname)) return null
  const scheme = url.protocol.slice(0, -1)
  const found = firstOf(environment, [`${scheme}_proxy`, 'all_proxy'])
  if (!found) return null
  const [variable, value] = found
  const except = firstOf(environment, ['no_proxy'])?.[1] ?? ''
  return isExcepted(url, except) ? null : read(value, variable)
}

function firstOf(environment: Environment, names: readonly string[]): readonly [string, string] | null {
  for (const name of names.flatMap((each) => [each, each.toUpperCase()])) {
    const value = environment[name]?.trim()
    if (value) return [name, value]
  }
  return null
}

function read(value: string, variable: string): Proxy {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`
  const url = URL.canParse(address) ? new URL(address) : null
  if (!url || !/^https?:$/.test(url.protocol))
    // Not what it says: there may be a password in it.
    throw new RemoteFailure('untrusted', [
      `The proxy that ${variable} names is none that can be used: it must be an address such as http://proxy.example:3128.`,
      'Correct that variable, then start Boxyard again.'
    ])
  const secure = url.protocol === 'https:'
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port)
  const { username, password } = url
  const login = `${decoded(username)}:${decoded(password)}`
  return {
    variable,
    hostname: bare(url.hostname),
    port,
    host: `${url.hostname}:${port}`,
    secure,
    authorization:
      username === '' && password === '' ? null : `Basic ${Buffer.from(login).toString('base64')}`
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // A percent sign that begins no code is meant as it is.
  }
}

/** Whether a list as curl reads it has an address: names with all below them, addresses, networks, ports, "*" for all. */
function isExcepted(url: URL, list: string): boolean {
  const host = bare(url.hostname).replace(/\.$/, '').toLowerCase()
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  return list.split(/[\s,]+/).some((entry) => {
    if (entry === '*') return true
    const [, named = entry, ofPort] = /^(\[.+\]|[^:]+)(?::(\d+))?$/.exec(entry) ?? []
    if (ofPort !== undefined && ofPort !== port) return false
    if (isIP(host) !== 0) return isWithin(host, bare(named))
    const name = named
      .replace(/^\*?\.+/, '')
      .replace(/\.$/, '')
      .toLowerCase()
    return name !== '' && (host === name || host.endsWith(`.${name}`))
  })
}

/** Whether an address is the one that is named, or in the network that is. */
function isWithin(address: string, named: string): boolean {
  const [network = '', bits] = named.split('/')
  const version = isIP(address)
  if (isIP(network) !== version) return false
  const longest = version === 4 ? 32 : 128
  const length = bits === undefined ? longest : /^\d{1,3}$/.test(bits) ? Number(bits) : Infinity
  if (length > longest) return false
  const family = version === 4 ? 'ipv4' : 'ipv6'
  const list = new BlockList()
  list.addSubnet(network, length, family)
  return list.check(address, family)
}

const bare = (host: string): string => host.replace(/^\[|\]$/g, '')
