import { hostname, networkInterfaces } from 'node:os'

const anyAddress = ['0.0.0.0', '::']

export const isAnyAddress = (host: string): boolean => anyAddress.includes(host)

const isLoopbackName = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127\./.test(host)

const inUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host)

/** The names a Host header may hold because of where the server listens. An address cannot be rebound by a hostile page. */
export function namesOf(host: string): string[] {
  if (!isAnyAddress(host)) return [inUrl(host)]
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  return [hostname(), `${hostname()}.local`, ...addresses.map(({ address }) => inUrl(address))]
}

/** For people and clients on this machine, whatever else the server may be reached by. */
export const addressOf = (host: string, port: number): string =>
  `http://${isAnyAddress(host) ? '127.0.0.1' : inUrl(host)}:${port}`

/** For clients on other machines; none where only this machine is listened to. */
export function lanAddressesOf(host: string, port: number): string[] {
  if (isLoopbackName(host)) return []
  if (!isAnyAddress(host)) return [`http://${inUrl(host)}:${port}`]
  return Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => `http://${address}:${port}`)
}
