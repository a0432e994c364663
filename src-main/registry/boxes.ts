import type { FastifyInstance } from 'fastify'
import type { Api, BoxPath } from './api.ts'
import { readBody } from './bodies.ts'
import { callerOf, knownCaller } from './credentials.ts'
import { scopeOf, sendDocument } from './documents.ts'
import { boxFields, boxKeys, check, unwrap } from './fields.ts'

/**
 * GET    /box/:username/:name
 * POST   /boxes
 * PUT    /box/:username/:name
 * DELETE /box/:username/:name
 */
export function boxRoutes(
  app: FastifyInstance,
  { services, documents, limits, dialect, present }: Api
): void {
  const { authentication, boxes } = services

  app.get<{ Params: BoxPath }>('/box/:username/:name', (request, reply) => {
    const { username, name } = request.params
    const caller = callerOf(authentication, request)
    const parts = [dialect.name, 'box', request.base, scopeOf(caller), username, name]
    const document = documents.of(parts, () => present.box(request.base, boxes.read(caller, username, name)))
    return sendDocument(request, reply, document)
  })

  app.post('/boxes', async (request, reply) => {
    const caller = knownCaller(authentication, request)
    const body = await readBody(request, reply, limits)
    return present.box(request.base, boxes.create(caller, check(boxFields, unwrap(body, 'box', boxKeys))))
  })

  app.put<{ Params: BoxPath }>('/box/:username/:name', async (request, reply) => {
    const caller = knownCaller(authentication, request)
    const { username, name } = request.params
    const body = await readBody(request, reply, limits)
    const input = check(boxFields, unwrap(body, 'box', boxKeys))
    return present.box(request.base, boxes.update(caller, username, name, input))
  })

  app.delete<{ Params: BoxPath }>('/box/:username/:name', (request, reply) => {
    const caller = knownCaller(authentication, request)
    const { username, name } = request.params
    return reply.send(present.box(request.base, boxes.remove(caller, username, name).gone))
  })
}
