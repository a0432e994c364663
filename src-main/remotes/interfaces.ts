import { networkInterfaces } from 'node:os'

/** A text that is another one when this machine is on another network, or on one again. */
export function interfacesNow(): string {
  const addresses = Object.values(networkInterfaces())
    .flatMap((of) => of ?? [])
    .filter(({ internal }) => !internal)
    .map(({ mac, cidr, address }) => `${mac} ${cidr ?? address}`)
  return addresses.sort().join('\n')
}
