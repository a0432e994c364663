import { createServer as createProbe } from 'node:net'
import { once } from 'node:events'
import type { FastifyInstance } from 'fastify'
import type { ServerStatus, Settings } from '../contract/settings.ts'
import { Problem } from '../domain/problem.ts'
import type { Log } from '../log.ts'
import type { PersonSettings } from '../settings/settings.ts'
import { addressOf, isAnyAddress, lanAddressesOf, namesOf } from './addresses.ts'
import type { RateLimit, RegistryOptions } from './options.ts'
import { createServer } from './server.ts'
import type { RegistryServices } from './services.ts'

/** What a command line says of the server; it then holds whatever the settings say. */
export interface Fixed {
  readonly host?: string | undefined
  readonly port?: number | undefined
  /** In addition to those of the settings. */
  readonly allowedHosts?: readonly string[] | undefined
  readonly rateLimit?: RateLimit | undefined
}

interface Parts {
  readonly services: RegistryServices
  readonly settings: Pick<PersonSettings, 'read' | 'onChange'>
  readonly maintenance: () => boolean
  readonly log: Log
  readonly fixed?: Fixed
  readonly limits?: RegistryOptions['limits']
}

interface Place {
  readonly host: string
  readonly port: number
}

/** How long this machine's own names are taken to be the same: laptops change networks. */
const namesHoldMs = 5_000

/** Where the registry listens, and that it moves when the settings say so. Its one server stays, with what it sends. */
export class Listener {
  readonly #fixed: Fixed
  readonly #settings: Parts['settings']
  readonly #maintenance: () => boolean
  readonly #log: Log
  readonly #server: FastifyInstance
  readonly #listeners = new Set<() => void>()
  readonly #unfollow: () => void
  #place: Place | null = null
  #problem: Problem | null = null
  #hasListened = false
  #moving: Promise<void> = Promise.resolve()
  #closed = false

  constructor({ services, settings, maintenance, log, fixed = {}, limits }: Parts) {
    this.#fixed = fixed
    this.#settings = settings
    this.#maintenance = maintenance
    this.#log = log
    const names = this.#names()
    const rate = this.#rate()
    this.#server = createServer(services, {
      log,
      maintenance,
      ...(limits && { limits }),
      get allowedHosts() {
        return names()
      },
      get rateLimit() {
        return rate()
      }
    })
    this.#unfollow = settings.onChange(() => void this.apply().catch(() => {}))
  }

  /** Starts to listen, or to listen where the settings say now. What cannot be is thrown, and in the status as well. */
  apply(): Promise<void> {
    const turn = this.#moving.then(() => this.#move())
    this.#moving = turn.catch(() => {})
    return turn
  }

  /** Refuses settings that could not take effect, before anything is changed. */
  async check(settings: Settings): Promise<void> {
    const wanted = this.#wanted(settings)
    // Where it listens already, trying would only find itself.
    if (wanted.port === 0 || wanted.port === this.#place?.port) return
    const probe = createProbe()
    try {
      probe.listen(wanted)
      await once(probe, 'listening')
    } catch (error) {
      throw explain(error, wanted)
    } finally {
      probe.close()
    }
  }

  status(): ServerStatus {
    const { host, port } = this.#place ?? this.#wanted(this.#settings.read())
    return {
      state: this.#place ? 'running' : this.#problem ? 'failed' : 'stopped',
      url: addressOf(host, port),
      lanUrls: this.#place ? lanAddressesOf(host, port) : [],
      problem: this.#problem?.sentences ?? null,
      maintenance: this.#maintenance(),
      fixedByCommandLine: this.#fixedNames()
    }
  }

  /** Told when it came up, failed or moved. Returns what ends it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Ends it, giving what still runs a few seconds. */
  async close(): Promise<void> {
    this.#closed = true
    this.#unfollow()
    await this.#moving
    this.#place = null
    await this.#server.close()
  }

  async #move(): Promise<void> {
    const wanted = this.#wanted(this.#settings.read())
    const before = this.#place
    if (this.#closed || (!this.#problem && before && isSame(before, wanted))) return
    try {
      if (!before || !isSame(before, wanted)) this.#place = await this.#listen(wanted, before)
      this.#problem = null
    } catch (error) {
      this.#problem = explain(error, wanted)
      this.#log.warn(this.#problem.message)
      throw this.#problem
    } finally {
      for (const listener of this.#listeners) listener()
    }
  }

  async #listen(wanted: Place, before: Place | null): Promise<Place> {
    if (!this.#hasListened) {
      await this.#server.listen(wanted)
      this.#hasListened = true
      return this.#bound(wanted)
    }
    if (before) {
      await this.check(this.#settings.read())
      // Only new connections are no longer taken: those that carry something go on until it is done.
      this.#server.server.close()
    }
    this.#place = null
    try {
      return await this.#listenAgain(wanted)
    } catch (error) {
      if (before) this.#place = await this.#listenAgain(before)
      throw error
    }
  }

  /** The framework starts a server once; its server itself can listen any number of times. */
  async #listenAgain(place: Place): Promise<Place> {
    const { server } = this.#server
    server.listen(place)
    await once(server, 'listening')
    return this.#bound(place)
  }

  #wanted({ port, shareOnLan }: Settings): Place {
    const { host, port: fixedPort } = this.#fixed
    const wanted = {
      host: host ?? (shareOnLan ? '0.0.0.0' : '127.0.0.1'),
      // A server with an address of its own, as "localhost", may listen at several, and stays where it is.
      port: fixedPort ?? (host !== undefined && this.#place ? this.#place.port : port)
    }
    return wanted.port === 0 && this.#place ? { ...wanted, port: this.#place.port } : wanted
  }

  #fixedNames(): (keyof Settings)[] {
    const { host, port, rateLimit } = this.#fixed
    return [
      ...(port !== undefined || host !== undefined ? (['port'] as const) : []),
      ...(host !== undefined ? (['shareOnLan'] as const) : []),
      ...(rateLimit !== undefined ? (['requestsPerMinute'] as const) : [])
    ]
  }

  /** The names the server goes by; the same list for as long as nothing has changed in it. */
  #names(): () => readonly string[] {
    let kept: readonly string[] = []
    let settings: Settings | null = null
    let until = 0
    return () => {
      if (Date.now() < until && settings === this.#settings.read()) return kept
      until = Date.now() + namesHoldMs
      settings = this.#settings.read()
      const { host } = this.#place ?? this.#wanted(settings)
      const names = [...namesOf(host), ...settings.allowedHosts, ...(this.#fixed.allowedHosts ?? [])]
      if (names.join('\n') !== kept.join('\n')) kept = names
      return kept
    }
  }

  #rate(): () => RateLimit {
    let kept: RateLimit = this.#fixed.rateLimit ?? { perMinute: 0, loopbackToo: false }
    return () => {
      const perMinute = this.#fixed.rateLimit?.perMinute ?? this.#settings.read().requestsPerMinute
      if (perMinute !== kept.perMinute) kept = { ...kept, perMinute }
      return kept
    }
  }

  /** With the port that was asked for, or what the system chose instead of 0. */
  #bound({ host, port }: Place): Place {
    const address = this.#server.server.address()
    return { host, port: typeof address === 'object' && address ? address.port : port }
  }
}

const isSame = (a: Place, b: Place): boolean => a.host === b.host && a.port === b.port

function explain(error: unknown, { host, port }: Place): Problem {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new Problem(
        'conflict',
        `Port ${port}${isAnyAddress(host) ? '' : ` on ${host}`} is taken by another program; choose another, or 0 for any free one.`
      )
    case 'EACCES':
      return new Problem(
        'forbidden',
        `Port ${port} needs more rights than this account has; choose one above 1023.`
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new Problem('invalid', `This machine has no address "${host}"; give one it has.`)
    default:
      return error instanceof Problem
        ? error
        : new Problem('unavailable', `The server cannot listen on port ${port}: ${String(error)}.`)
  }
}
