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

/**
 * Connections that read into one piece of memory of their own. Without it every read of 64 KiB makes a buffer that is
 * garbage at once, since the parser copies what it hands on: most of the time of a large download, and tens of megabytes
 * that wait for the collector.
 */
export class PlainAgent extends HttpAgent {
  override createConnection(...[options, callback]: Parameters<HttpAgent['createConnection']>): Connected {
    return rereading((onread) => super.createConnection({ ...options, onread }, callback))
  }
}

/** The same over TLS. */
export class SecureAgent extends HttpsAgent {
  override createConnection(...[options, callback]: Parameters<HttpAgent['createConnection']>): Connected {
    return rereading((onread) => super.createConnection({ ...options, onread }, callback))
  }
}

/** The parser is the only one that listens to the data, and has copied it when it returns. */
function rereading(connect: (onread: OnReadOpts) => Connected): Connected {
  const buffer = new Uint8Array(readSize)
  const socket = connect({
    buffer,
    callback(length) {
      socket?.emit('data', Buffer.from(buffer.buffer, 0, length))
      return true
    }
  })
  return socket
}
