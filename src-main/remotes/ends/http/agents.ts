import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { NetConnectOpts, OnReadOpts } from 'node:net'
import type { Duplex } from 'node:stream'

type Connected = Duplex | null | undefined

declare module 'http' {
  interface Agent {
    /** Documented, and missing in the types. */
    createConnection(
      options: NetConnectOpts,
      callback?: (error: Error | null, socket: Duplex) => void
    ): Connected
  }
}

/** As much as the kernel usually has ready of a quick line. */
const readSize = 512 * 1024

/** Takes what a connection brings in place of the parser. */
export interface Taker {
  /** Where the next bytes are to lie. */
  room(): Uint8Array
  /** So many have come; false has the connection read no more until it is resumed. */
  came(length: number): boolean
}

const readings = new WeakMap<Duplex, Reading>()

/**
 * From the next read on, whatever comes goes to the taker, and the connection is of no use for other answers. To be called
 * while the parser is at work; false where the connection cannot do it.
 */
export function takeOver(connection: Duplex, taker: Taker): boolean {
  return readings.get(connection)?.takeOver(taker) ?? false
}

/** Connections that read into one piece of memory of their own, see below. */
export class PlainAgent extends HttpAgent {
  override createConnection(...[options, callback]: Parameters<HttpAgent['createConnection']>): Connected {
    return reading((onread) => super.createConnection({ ...options, onread }, callback))
  }
}

/** The same over TLS. */
export class SecureAgent extends HttpsAgent {
  override createConnection(...[options, callback]: Parameters<HttpAgent['createConnection']>): Connected {
    return reading((onread) => super.createConnection({ ...options, onread }, callback))
  }
}

function reading(connect: (onread: OnReadOpts) => Connected): Connected {
  const reading = new Reading()
  const socket = connect(reading)
  if (!socket) return socket
  readings.set(socket, reading)
  return (reading.socket = socket)
}

/**
 * What a connection reads into: the same piece of memory again and again. Without it every read of 64 KiB makes a buffer
 * that is garbage at once, since the parser copies what it hands on: most of the time of a large download, and tens of
 * megabytes that wait for the collector.
 */
class Reading implements OnReadOpts {
  socket: Duplex | null = null
  readonly #own = new Uint8Array(readSize)
  #parsing = false
  #taker: Taker | null = null

  readonly buffer = (): Uint8Array => this.#taker?.room() ?? this.#own

  readonly callback = (length: number): boolean => {
    if (this.#taker) return this.#taker.came(length)
    this.#parsing = true
    // The parser is the only one that listens, and has copied it when it returns.
    this.socket?.emit('data', Buffer.from(this.#own.buffer, 0, length))
    this.#parsing = false
    return true
  }

  takeOver(taker: Taker): boolean {
    if (!this.#parsing) return false
    this.#taker = taker
    return true
  }
}
