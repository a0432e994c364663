import { once } from 'node:events'
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders
} from 'node:http'
import type { Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** As short as a misbehaviour needs to be noticed; and files of any length are read as long ones are. */
export const tightLimits = {
  straightBytes: 1,
  connectTime: 5_000,
  answerTime: 4_000,
  uploadAnswerTime: 8_000,
  idleTime: 1_500,
  sendTime: 1_500,
  continueTime: 300,
  jsonTime: 2_500
}

/** A request as it came to the remote. */
export interface Noted {
  readonly method: string
  readonly path: string
  /** The header Authorization, as it was sent. */
  readonly token: string | null
  /** How much of its body arrived. */
  bytes: number
}

/** What the real server behind answered, or what is answered in its place. */
export interface Reply {
  readonly status: number
  readonly headers: OutgoingHttpHeaders
  readonly body: Buffer
}

/** A request that is to be answered in a way nobody hopes for. */
export interface Victim {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Reads so much of the body, or all of it. */
  take(bytes?: number): Promise<Buffer>
  /** What the real server answers to it; the body may be another one. */
  real(body?: Buffer, headers?: OutgoingHttpHeaders): Promise<Reply>
  answer(reply: Reply): void
  /** Hands everything through as it comes. */
  pass(headers?: OutgoingHttpHeaders, without?: readonly string[]): Promise<void>
  /** Cuts the connection. */
  cut(): void
}

export type Misbehaviour = (victim: Victim) => void | Promise<void>

interface Match {
  readonly method?: string
  readonly path?: RegExp
}

interface Rule extends Match {
  readonly misbehaviour: Misbehaviour
  left: number
  /** Requests that match and are let through first. */
  skip: number
}

/** A remote in front of a real one, which it lets through what no rule is about. */
export interface HostileRemote {
  readonly url: string
  readonly noted: readonly Noted[]
  /** Somewhere else, where nobody should be sent with a token. */
  readonly trap: { readonly url: string; readonly noted: readonly Noted[] }
  /** From now on, requests like these are treated so: as often as said, else once; the first `skip` are not. */
  when(match: Match, misbehaviour: Misbehaviour, often?: { times?: number; skip?: number }): void
  /** Whether all that was to be done has been. */
  readonly spent: boolean
  /** How many requests came. */
  count(match: Match): number
  forget(): void
  close(): Promise<void>
}

const matches = ({ method, path }: Match, noted: Noted): boolean =>
  (method === undefined || method === noted.method) && (path === undefined || path.test(noted.path))

/** Ends with the test. */
export async function hostileRemote(target: string): Promise<HostileRemote> {
  const remote = await openHostileRemote(target)
  onTestFinished(remote.close)
  return remote
}

export async function openHostileRemote(target: string): Promise<HostileRemote> {
  const rules: Rule[] = []
  const noted: Noted[] = []
  const inTrap: Noted[] = []
  const handle = async (
    request: IncomingMessage,
    response: ServerResponse,
    waits: boolean
  ): Promise<void> => {
    const seen = note(request, noted)
    const rule = rules.find(
      (one) => matches(one, seen) && (one.skip > 0 ? (one.skip--, false) : one.left > 0)
    )
    const victim = victimOf(target, request, response, seen, waits)
    response.on('error', () => {})
    request.on('error', () => {})
    try {
      if (!rule) return await victim.pass()
      rule.left -= 1
      await rule.misbehaviour(victim)
    } catch {
      victim.cut() // the client has gone, or the real one has
    }
  }
  const server = createServer((request, response) => void handle(request, response, false))
  server.on(
    'checkContinue',
    (request: IncomingMessage, response: ServerResponse) => void handle(request, response, true)
  )
  const trap = createServer((request, response) => {
    note(request, inTrap)
    request.resume()
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  const url = await listen(server)
  const trapUrl = await listen(trap)
  return {
    url,
    noted,
    trap: { url: trapUrl, noted: inTrap },
    when: (match, misbehaviour, { times = 1, skip = 0 } = {}) =>
      void rules.push({ ...match, misbehaviour, left: times, skip }),
    get spent() {
      return rules.every(({ left }) => left === 0 || left === Infinity)
    },
    count: (match) => noted.filter((one) => matches(match, one)).length,
    forget() {
      rules.length = 0
      noted.length = 0
    },
    async close() {
      for (const each of [server, trap]) {
        const closed = once(each, 'close')
        each.close()
        each.closeAllConnections()
        await closed
      }
    }
  }
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function note(request: IncomingMessage, into: Noted[]): Noted {
  const { method = '', url = '', headers } = request
  const noted = { method, path: url, token: headers.authorization ?? null, bytes: 0 }
  into.push(noted)
  return noted
}

/** What belongs to one connection, and is another one on the next. */
const framing = new Set(['content-length', 'transfer-encoding', 'keep-alive'])

function victimOf(
  target: string,
  request: IncomingMessage,
  response: ServerResponse,
  noted: Noted,
  waits: boolean
): Victim {
  let asked = !waits
  const ask = (): void => {
    if (!asked) response.writeContinue()
    asked = true
  }
  const forward = (changes: OutgoingHttpHeaders) => {
    const headers = Object.entries({ ...request.headers, expect: undefined, ...changes })
    return httpRequest(target + (request.url ?? ''), {
      method: request.method ?? 'GET',
      headers: Object.fromEntries(headers.filter(([, value]) => value !== undefined)),
      agent: false
    })
  }
  return {
    request,
    response,
    async take(bytes = Infinity) {
      ask()
      const chunks: Buffer[] = []
      // Leaving the loop early would end the connection along with the reading.
      await new Promise<void>((resolve, reject) => {
        const stop = (): void => {
          request.off('data', onData).off('end', stop).off('close', onClose)
          request.pause()
          resolve()
        }
        const onClose = (): void => reject(new Error('gone'))
        const onData = (chunk: Buffer): void => {
          noted.bytes += chunk.length
          chunks.push(chunk)
          if (noted.bytes >= bytes) stop()
        }
        request.on('data', onData).on('end', stop).on('close', onClose)
      })
      return Buffer.concat(chunks)
    },
    async real(body, headers = {}) {
      const bytes = body ?? (await this.take())
      const out = forward({ ...headers, 'transfer-encoding': undefined, 'content-length': bytes.length })
      out.end(bytes)
      const [answer] = (await once(out, 'response')) as [IncomingMessage]
      const chunks: Buffer[] = []
      for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk)
      return { status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) }
    },
    answer({ status, headers, body }) {
      const own = Object.entries(headers).filter(([name]) => !framing.has(name))
      response.writeHead(status, { ...Object.fromEntries(own), 'content-length': body.length })
      response.end(body)
    },
    async pass(headers = {}, without = []) {
      const out = forward(headers)
      request.on('data', (chunk: Buffer) => (noted.bytes += chunk.length))
      request.pipe(out)
      ask()
      response.on('close', () => out.destroy())
      const [answer] = (await once(out, 'response')) as [IncomingMessage]
      for (const name of without) delete answer.headers[name]
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
      answer.on('error', () => response.destroy())
    },
    cut: () => void request.socket.destroy()
  }
}

const inJson = (status: number, body: object, headers: OutgoingHttpHeaders = {}): Reply => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: Buffer.from(JSON.stringify(body))
})

const errors = (...sentences: string[]): object => ({ errors: sentences, success: false })

/** Answers before any of the body has been read. */
export const refuse =
  (status: number, sentence = `This is status ${status}.`, headers: OutgoingHttpHeaders = {}): Misbehaviour =>
  (victim) =>
    victim.answer(inJson(status, errors(sentence), headers))

/** Answers in the middle of the body, and drops the line a moment after. */
export const refuseMidway =
  (status: number, bytes: number, sentence = `This is status ${status}.`): Misbehaviour =>
  async (victim) => {
    await victim.take(bytes)
    victim.answer(inJson(status, errors(sentence), { connection: 'close' }))
  }

/** Takes all of it, does nothing with it, and says that something went wrong. */
export const refuseAfterAll =
  (status: number): Misbehaviour =>
  async (victim) => {
    await victim.take()
    victim.answer(inJson(status, errors(`This is status ${status}.`)))
  }

/** Does what was asked, and says that it has not. */
export const doAndRefuse =
  (status: number): Misbehaviour =>
  async (victim) => {
    await victim.real()
    victim.answer(inJson(status, errors(`This is status ${status}.`)))
  }

/** Does what was asked, and cuts the line in place of an answer. */
export const doAndCut: Misbehaviour = async (victim) => {
  await victim.real()
  victim.cut()
}

/** Cuts the line when so much of the body has come. */
export const cutMidway =
  (bytes: number): Misbehaviour =>
  async (victim) => {
    if (bytes > 0) await victim.take(bytes)
    victim.cut()
  }

/** What storage says of an address that was not used in time. */
export const expired =
  (status = 403): Misbehaviour =>
  (victim) =>
    victim.answer({
      status,
      headers: { 'content-type': 'application/xml' },
      body: Buffer.from('<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>')
    })

export const page =
  (status = 200): Misbehaviour =>
  (victim) =>
    victim.answer({
      status,
      headers: { 'content-type': 'text/html' },
      body: Buffer.from('<!doctype html><title>Sign in to the hotel network</title>')
    })

/** Does not say which registry it is, as those of other makes do not. */
export const ofAnotherMake: Misbehaviour = (victim) => victim.pass({}, ['x-registry-id'])

/** Takes the request and never answers. */
export const hang: Misbehaviour = async (victim) => {
  await victim.take()
}

/** Never reads what it is sent. */
export const neverRead: Misbehaviour = () => {}

export const redirectTo =
  (url: string, status = 302): Misbehaviour =>
  (victim) => {
    victim.response.writeHead(status, { location: url, 'content-length': 0 }).end()
  }

/** Lets the bytes through with one bit turned over, on their way in. */
export const damageIncoming: Misbehaviour = async (victim) => {
  const body = await victim.take()
  body[body.length >> 1] = (body[body.length >> 1] ?? 0) ^ 1
  victim.answer(await victim.real(body))
}

/** The same on their way out. */
export const damageOutgoing: Misbehaviour = async (victim) => {
  const reply = await victim.real()
  reply.body[reply.body.length >> 1] = (reply.body[reply.body.length >> 1] ?? 0) ^ 1
  victim.answer(reply)
}

/** Announces all of it, sends so much and cuts the line. */
export const truncate =
  (bytes: number): Misbehaviour =>
  async (victim) => {
    const reply = await victim.real()
    victim.response.writeHead(reply.status, reply.headers)
    victim.response.write(reply.body.subarray(0, bytes), () => setTimeout(() => victim.cut(), 20))
  }

/** Sends so much and says that this is all there is. */
export const shorten =
  (bytes: number): Misbehaviour =>
  async (victim) => {
    const reply = await victim.real()
    victim.answer({ ...reply, body: reply.body.subarray(0, bytes) })
  }

/** Knows nothing of parts. */
export const ignoreRange: Misbehaviour = (victim) => victim.pass({ range: undefined })

/** Answers with another part than the one asked for. */
export const wrongRange: Misbehaviour = async (victim) => {
  const reply = await victim.real(Buffer.alloc(0), { range: 'bytes=7-' })
  victim.answer(reply)
}

/** Sends the beginning of an answer and then nothing any more. */
export const stall =
  (bytes: number): Misbehaviour =>
  async (victim) => {
    const reply = await victim.real()
    victim.response.writeHead(reply.status, reply.headers)
    victim.response.write(reply.body.subarray(0, bytes))
  }

/** Sends one byte at a time, for ever. */
export const drip: Misbehaviour = async (victim) => {
  victim.response.writeHead(200, { 'content-type': 'application/json' })
  const timer = setInterval(() => victim.response.write(' '), 20)
  victim.response.on('close', () => clearInterval(timer))
}

/** JSON that never ends, as fast as it is read. */
export const endless =
  (head: string, element: string): Misbehaviour =>
  (victim) => {
    const { response } = victim
    const piece = Buffer.from(element.repeat(Math.ceil(65_536 / element.length)))
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write(head)
    const more = (): void => {
      while (!response.destroyed && response.write(piece));
    }
    response.on('drain', more)
    more()
  }

/** Headers that never end. */
export const endlessHeaders: Misbehaviour = ({ request: { socket } }) => {
  socket.write('HTTP/1.1 200 OK\r\n')
  const more = (): void => {
    while (!socket.destroyed && socket.write(`X-More: ${'a'.repeat(8000)}\r\n`));
  }
  socket.on('drain', more)
  more()
}

/** Says again and again that an answer is to come. */
export const endlessHints: Misbehaviour = ({ request: { socket } }) => {
  const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 20)
  socket.on('close', () => clearInterval(timer))
}

/** Answers as the real one does, with something else in its JSON. */
export const change =
  (alter: (json: Record<string, unknown>) => unknown): Misbehaviour =>
  async (victim) => {
    const reply = await victim.real()
    const json = JSON.parse(reply.body.toString('utf8')) as Record<string, unknown>
    const { etag: _, ...headers } = reply.headers
    victim.answer({ ...reply, headers, body: Buffer.from(JSON.stringify(alter(json))) })
  }

/** Has lost all its boxes, it says. */
export const emptyListing: Misbehaviour = change((json) => ({ ...json, boxes: [] }))

/** Somebody else changes something first. */
export const meanwhile =
  (act: () => void | Promise<void>): Misbehaviour =>
  async (victim) => {
    await act()
    await victim.pass()
  }

/** Says what it was told to, whatever else it should. */
export const say =
  (status: number, json: object, headers: OutgoingHttpHeaders = {}): Misbehaviour =>
  (victim) =>
    victim.answer(inJson(status, json, headers))
