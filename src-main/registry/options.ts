import type { Log } from '../log.ts'

/** What a registry's server may cost its machine. Times are milliseconds. */
export interface RegistryLimits {
  /** Of a JSON or form body; a description alone may be a million bytes. */
  readonly bodyBytes: number
  /** For such a body to arrive whole. */
  readonly bodyTime: number
  /** For the headers of a request to arrive whole. */
  readonly headersTime: number
  /** Without a single byte either way, after which a connection is given up. */
  readonly idleTime: number
  /** For what is left of a refused body: a client that is still sending can read the answer only when it is done. */
  readonly lingerTime: number
  /** For running uploads and downloads to end once the server is told to. */
  readonly graceTime: number
  readonly urlLength: number
  /** Running at the same time. */
  readonly uploads: number
  /** Of answers kept ready in memory. */
  readonly cacheBytes: number
}

/** How a server is set up. Names and rate are looked at with each request, and may be other ones then. */
export interface RegistryOptions {
  readonly log: Log
  /** Names this server is reached by, besides those of the machine itself; with a port they hold for that port alone. */
  readonly allowedHosts?: readonly string[]
  readonly rateLimit?: RateLimit
  readonly maintenance?: () => boolean
  readonly limits?: Partial<RegistryLimits>
}

/** How many requests a client, told by its address, may make in a minute. */
export interface RateLimit {
  readonly perMinute: number
  /** Else clients on this machine are told how much they ask, and never refused. */
  readonly loopbackToo: boolean
}

export const defaultRateLimit: RateLimit = { perMinute: 6000, loopbackToo: false }

export const defaultLimits: RegistryLimits = {
  bodyBytes: 2 * 1024 * 1024,
  bodyTime: 30_000,
  headersTime: 20_000,
  idleTime: 120_000,
  lingerTime: 30_000,
  graceTime: 3_000,
  urlLength: 8192,
  uploads: 64,
  cacheBytes: 32 * 1024 * 1024
}
