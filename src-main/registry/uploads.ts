import type { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { Problem } from '../domain/problem.ts'
import type { Shared } from './api.ts'
import { askForBody, declaredLength } from './bodies.ts'
import { receiveFirstFile } from './multipart.ts'

/**
 * PUT, POST  /upload/:id?key=…    the bytes of a box file, to an address the API gave out
 */
export function receivingRoutes(app: FastifyInstance, { services, limits, transfers }: Shared): void {
  let running = 0
  app.route<{ Params: { id: string }; Querystring: { key?: unknown } }>({
    method: ['PUT', 'POST'],
    url: '/upload/:id',
    handler: async (request, reply) => {
      if (running >= limits.uploads)
        throw new Problem('unavailable', `${running} uploads are running already; try again in a while.`)
      const { id } = request.params
      const key = typeof request.query.key === 'string' ? request.query.key : ''
      const form = formType(request.method, request.contentType)
      const body = request.raw
      // Whoever reads has checked before all that can be checked, so until then no byte is asked for.
      whenRead(body, () => askForBody(request, reply))
      running += 1
      try {
        await transfers.track(
          form === null
            ? services.uploads.receive(id, key, body, { length: declaredLength(request) })
            : receiveFirstFile(body, form, (file) =>
                services.uploads.receive(id, key, file, { length: null })
              )
        )
        return reply.code(200).send({})
      } finally {
        running -= 1
      }
    }
  })
}

function formType(method: string, contentType: string | undefined): string | null {
  return method === 'POST' && contentType && /^multipart\/form-data\b/i.test(contentType) ? contentType : null
}

/** Calls back as soon as anybody begins to read. */
function whenRead(body: Readable, callback: () => void): void {
  const look = (event: string | symbol): void => {
    if (event !== 'data' && event !== 'readable') return
    body.off('newListener', look)
    callback()
  }
  body.on('newListener', look)
}
