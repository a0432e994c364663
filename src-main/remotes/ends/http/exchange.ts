import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { programVersion } from '../../../version.ts'
import type { RemoteFailure } from '../../failure.ts'
import { ParsedBody } from './body-source.ts'
import { brokenConnection, tooSlow } from './broken.ts'
import type { HttpLimits } from './limits.ts'
import { brokenProxy, proxyRefused } from './proxy-trouble.ts'
import { ReceivedBody } from './received-body.ts'
import type { Routes } from './routes.ts'
import { odd } from './said.ts'
import { sendBytes } from './send-bytes.ts'
import { bodyOfFile } from './straight-body.ts'

/** Bytes that go out as the body of a request. */
export interface OutgoingBytes {
  /** Null when nobody knows it beforehand. */
  readonly size: number | null
  /** Opened once the other side has not said no to the headers. */
  readonly open: () => Promise<Readable>
  /** Called with every piece before it is sent. */
  readonly onPiece: (piece: Buffer) => void
  readonly onSent: (bytes: number) => void
  /** Called before the last piece is sent; what it throws keeps the other side from having a whole file. */
  readonly onLast: () => void
}

/** One request as it goes over the line. */
export interface Outgoing {
  readonly method: string
  readonly url: URL
  readonly headers?: OutgoingHttpHeaders
  /** Text or bytes for its body; none without it. */
  readonly body?: string | OutgoingBytes
  /** Of a request for a file, from that byte on: its answer is read in the way that is quickest for long ones. */
  readonly fileFrom?: number
  readonly signal: AbortSignal
}

/** An answer whose body has yet to be read, or destroyed. */
export interface Incoming {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: ReceivedBody
  /** Whether it came before all of the request's own body had gone out. */
  readonly early: boolean
}

const longestExpected = 64 * 1024

/** Requests to one remote, over connections of its own that are kept and used again. */
export class Exchange {
  readonly #limits: HttpLimits
  readonly #routes: Routes

  constructor(limits: HttpLimits, routes: Routes) {
    this.#limits = limits
    this.#routes = routes
  }

  /** Resolves with whatever is answered; throws a RemoteFailure when nothing is, or the signal's reason. */
  async send(outgoing: Outgoing): Promise<Incoming> {
    try {
      return await this.#once(outgoing)
    } catch (error) {
      // A connection that was kept may have been closed just as it was used again.
      const again = error instanceof Stale && (outgoing.method === 'GET' || outgoing.method === 'HEAD')
      if (!again) throw error instanceof Stale ? error.failure : error
    }
    try {
      return await this.#once(outgoing)
    } catch (error) {
      throw error instanceof Stale ? error.failure : error
    }
  }

  close(): void {
    this.#routes.close()
  }

  #once({ method, url, headers = {}, body, fileFrom, signal }: Outgoing): Promise<Incoming> {
    signal.throwIfAborted()
    const bytes = typeof body === 'object' ? body : null
    const text = typeof body === 'string' ? body : null
    const changes = method !== 'GET' && method !== 'HEAD'
    const { relay, secure, ...route } = this.#routes.to(url)
    const request = route.request({
      method,
      headers: {
        'user-agent': `Boxyard/${programVersion}`,
        'accept-encoding': 'identity',
        ...headers,
        ...(bytes ? lengthOf(bytes) : { ...(changes && { 'content-length': Buffer.byteLength(text ?? '') }) })
      },
      maxHeaderSize: longestExpected
    })
    return new Promise<Incoming>((resolve, reject) => {
      let sent = false
      let sending = bytes !== null
      const timer = new Watch((what) => {
        fail(tooSlow(`${url.host} ${what}`, { sent, changes }))
      })
      const settle = (): void => {
        timer.stop()
        signal.removeEventListener('abort', abort)
      }
      const fail = (error: unknown): void => {
        settle()
        reject(error)
        request.destroy()
      }
      const abort = (): void => fail(signal.reason)
      const awaitAnswer = (): void =>
        timer.start(
          bytes ? this.#limits.uploadAnswerTime : this.#limits.answerTime,
          'took the request and did not answer.'
        )

      signal.addEventListener('abort', abort, { once: true })
      timer.start(this.#limits.connectTime, 'cannot be reached: no connection came about in time.')
      request.once('socket', (socket) => {
        const connected = (): void => {
          if (bytes) timer.stop()
          else awaitAnswer()
          sent = true
        }
        if (!socket.connecting) connected()
        else socket.once(secure ? 'secureConnect' : 'connect', connected)
      })
      request.on('error', (error: NodeJS.ErrnoException) => {
        const failure =
          relay && !sent
            ? brokenProxy(error, relay, url.host)
            : brokenConnection(error, url, { sent, changes })
        const stale = request.reusedSocket && /^(ECONNRESET|EPIPE)$/.test(error.code ?? '')
        fail(stale ? new Stale(failure) : failure)
      })
      request.once('response', (response: IncomingMessage) => {
        settle()
        if (relay && response.statusCode === 407) return fail(proxyRefused(407, relay, url.host))
        const encoding = response.headers['content-encoding'] ?? 'identity'
        if (encoding !== 'identity') return fail(odd(url.host, 'an encoding it was not asked for'))
        const source =
          fileFrom === undefined ? new ParsedBody(response) : bodyOfFile(response, fileFrom, this.#limits)
        const received = new ReceivedBody(source, url.host, this.#limits, signal)
        // What was not asked for any more must not keep its connection open, or be mistaken for the next request.
        if (sending) received.once('close', () => request.destroy())
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: received,
          early: sending
        })
      })
      if (!bytes) {
        request.end(text ?? undefined)
        return
      }
      void sendBytes(request, bytes, {
        ...this.#limits,
        host: url.host,
        onSlow: (what) => fail(tooSlow(`${url.host} ${what}`, { sent, changes }))
      }).then(
        (all) => {
          if (!all) return
          sending = false
          awaitAnswer()
        },
        (error: unknown) => fail(error)
      )
    })
  }
}

const lengthOf = ({ size }: OutgoingBytes): OutgoingHttpHeaders => ({
  ...(size === null ? { 'transfer-encoding': 'chunked' } : { 'content-length': size }),
  expect: '100-continue'
})

/** A connection was gone before the request could have reached anybody. */
class Stale extends Error {
  readonly failure: RemoteFailure

  constructor(failure: RemoteFailure) {
    super(failure.message)
    this.failure = failure
  }
}

/** One time limit at a time, with what is said when it is over. */
class Watch {
  readonly #over: (what: string) => void
  #timer: NodeJS.Timeout | null = null

  constructor(over: (what: string) => void) {
    this.#over = over
  }

  start(time: number, what: string): void {
    this.stop()
    this.#timer = setTimeout(() => this.#over(what), time)
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }
}
