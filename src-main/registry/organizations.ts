import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { missing } from '../domain/problem.ts'
import type { Api } from './api.ts'
import { callerOf } from './credentials.ts'
import { etagOf, jsonType, notModified } from './documents.ts'
import { organizationFields, timestamp } from './presenter.ts'

/**
 * GET    /user/:username    the organization and those of its boxes the caller may see; with ?boxes=stamps, of each only
 *                           its name and when it last changed
 */
export function organizationRoutes(app: FastifyInstance, { services, dialect, present }: Api): void {
  app.get<{ Params: { username: string } }>('/user/:username', (request, reply) => {
    const organization = services.accounts.findOrganization(request.params.username)
    if (!organization) throw missing()
    const caller = callerOf(services.authentication, request)
    const scope = services.permissions.roleIn(caller, organization.id) ?? 'public'
    const { id, revision, createdAt, updatedAt } = organization
    const { boxes } = request.query as Record<string, unknown>
    const how = boxes === 'stamps' ? 'stamps' : 'whole'
    const etag = etagOf(
      [dialect.name, request.base, scope, id, revision, createdAt, updatedAt, how].join(' ')
    )
    if (notModified(request, reply, etag)) return reply.code(304).send()
    reply.header('content-type', jsonType)
    if (request.method === 'HEAD') return reply.send()
    const fields = organizationFields(organization)
    return reply.send(
      how === 'stamps'
        ? listing(fields, services.boxes.stampPagesOf(caller, organization.id), stampFields)
        : listing(fields, services.boxes.pagesOf(caller, organization.id), (box) =>
            present.listedBox(request.base, box)
          )
    )
  })
}

const stampFields = ({ name, updatedAt }: { readonly name: string; readonly updatedAt: number }) => ({
  name,
  updated_at: timestamp(updatedAt)
})

const chunkLength = 64 * 1024

/**
 * The JSON of an object with the boxes as its last field, made while it is sent: an organization may have more boxes
 * than fit in memory. Other requests get their turn after every piece.
 */
function listing<Box>(fields: object, pages: Iterable<readonly Box[]>, show: (box: Box) => object): Readable {
  async function* text(): AsyncGenerator<string> {
    let chunk = `${JSON.stringify(fields).slice(0, -1)},"boxes":[`
    let separator = ''
    for (const page of pages) {
      for (const box of page) {
        chunk += separator + JSON.stringify(show(box))
        separator = ','
        if (chunk.length < chunkLength) continue
        yield chunk
        chunk = ''
        await setImmediate()
      }
    }
    yield `${chunk}]}`
  }
  return Readable.from(text(), { objectMode: false, highWaterMark: chunkLength })
}
