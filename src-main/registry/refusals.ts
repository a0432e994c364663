import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { SecondFactorNeeded } from '../access/sign-in.ts'
import { Problem, type ProblemKind } from '../domain/problem.ts'
import type { Log } from '../log.ts'
import { isDiskFull } from '../store/failures.ts'

const statusOfKind: Record<ProblemKind, number> = {
  invalid: 422,
  unauthorized: 401,
  forbidden: 403,
  missing: 404,
  conflict: 422,
  'no-room': 507,
  unavailable: 503
}

/** For a client that has to wait for something whose end nobody knows. */
const retryAfterSeconds = 30

/** A refusal of HTTP's own, which the product below does not know: a status and its sentence. */
export class HttpProblem extends Error {
  readonly status: number
  readonly retryAfter: number | null

  constructor(status: number, sentence: string, retryAfter: number | null = null) {
    super(sentence)
    this.status = status
    this.retryAfter = retryAfter
  }
}

/** The body of every refusal. */
const errorBody = (...errors: string[]) => ({ errors, success: false })

/** Answers whatever a request ended with instead of a result. */
export function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Log): FastifyReply {
  if (error instanceof SecondFactorNeeded) {
    const methods = {
      default_delivery_method: error.defaultDeliveryMethod,
      delivery_methods: error.deliveryMethods
    }
    return reply.code(406).send({ two_factor: methods, ...errorBody(...error.sentences) })
  }
  if (error instanceof Problem) {
    if (error.kind === 'unavailable') reply.header('retry-after', retryAfterSeconds)
    if (error.kind === 'unauthorized') reply.header('www-authenticate', 'Bearer')
    return reply.code(statusOfKind[error.kind]).send(errorBody(...error.sentences))
  }
  if (error instanceof HttpProblem) {
    if (error.retryAfter !== null) reply.header('retry-after', error.retryAfter)
    return reply.code(error.status).send(errorBody(error.message))
  }
  if (isDiskFull(error)) {
    log.error(`request ${request.id} failed for want of room on the disk`, error)
    return reply
      .code(507)
      .send(
        errorBody("The registry's disk is full, so nothing was changed. Make room there, then try again.")
      )
  }
  const status = (error as Partial<FastifyError>).statusCode
  if (status !== undefined && status >= 400 && status < 500)
    return reply.code(status).send(errorBody('The request is not valid HTTP for this address; check it.'))
  // A client that left in the middle has nobody to tell, and nothing went wrong here.
  if (!request.socket.destroyed)
    log.error(
      `request ${request.id} (${request.method} ${request.routeOptions.url ?? 'unknown'}) failed`,
      error
    )
  return reply
    .code(500)
    .send(
      errorBody(
        `The registry failed to answer. Its log says why, under request ${request.id}; try again, and report it if that does not help.`
      )
    )
}

/** Answers what could not even be read as HTTP, and ends the connection: nothing after it can be trusted. */
export function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, sentence] = unreadable[error.code ?? ''] ?? [
    '400 Bad Request',
    'The request is not valid HTTP; check the client that sent it.'
  ]
  const body = JSON.stringify(errorBody(sentence))
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`
  )
}

const unreadable: Readonly<Record<string, [status: string, sentence: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [
    '408 Request Timeout',
    'The request took too long to arrive; check the connection and try again.'
  ],
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'The headers of the request are too large; send fewer or shorter ones.'
  ]
}
