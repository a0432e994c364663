import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ImageRef } from '../catalog/lookup.ts'
import type { Image } from '../domain/model.ts'
import { missing, Problem } from '../domain/problem.ts'
import type { Shared, ProviderPath } from './api.ts'
import { callerOf } from './credentials.ts'
import { notModified } from './documents.ts'
import { rangeOf, type Range } from './range.ts'

/**
 * GET, HEAD  /:username/boxes/:name/versions/:version/providers/:provider.box
 * GET, HEAD  /:username/boxes/:name/versions/:version/providers/:provider/:architecture/vagrant.box
 */
export function downloadRoutes(app: FastifyInstance, shared: Shared): void {
  const providers = '/:username/boxes/:name/versions/:version/providers'
  const options = { exposeHeadRoute: false, method: ['GET', 'HEAD'] }

  app.route<{ Params: ProviderPath }>({
    ...options,
    url: `${providers}/:provider/:architecture/vagrant.box`,
    handler: (request, reply) =>
      download(shared, request, reply, refOf(request.params, request.params.provider))
  })
  // Provider names may hold dots themselves, so the ending is taken off here.
  app.route<{ Params: ProviderPath }>({
    ...options,
    url: `${providers}/:provider`,
    handler: (request, reply) => {
      const name = /^(.+)\.box$/.exec(request.params.provider)?.[1]
      if (name === undefined) throw missing()
      return download(shared, request, reply, refOf(request.params, name))
    }
  })
}

function refOf({ username, name, version, architecture }: ProviderPath, provider: string): ImageRef {
  return { organization: username, box: name, version, provider, architecture: architecture ?? null }
}

async function download(
  shared: Shared,
  request: FastifyRequest,
  reply: FastifyReply,
  ref: ImageRef
): Promise<FastifyReply> {
  const { services, log } = shared
  const { image, boxId } = services.downloads.locate(callerOf(services.authentication, request), ref)
  if (image.url !== null)
    return reply.header('cache-control', 'private, no-cache').redirect(headerSafe(image.url), 302)
  if (image.blob === null) throw missing()
  const size = await services.blobs.size(image.blob)
  if (size === null) {
    log.error(`the bytes of ${ref.organization}/${ref.box} ${ref.version} are not in the store; run verify`)
    throw new Problem(
      'missing',
      'The file of this image is damaged or lost, so it cannot be downloaded until it is uploaded again.'
    )
  }
  const etag = `"${image.blob}"`
  if (notModified(request, reply, etag)) return reply.code(304).send()
  const range = rangeIfWanted(request, etag, size)
  reply.code(range ? 206 : 200).headers({
    'content-type': 'application/octet-stream',
    'content-length': range ? range.end - range.start + 1 : size,
    'accept-ranges': 'bytes',
    'content-disposition': `attachment; filename="${fileName(ref, image)}"`,
    ...(range && { 'content-range': `bytes ${range.start}-${range.end}/${size}` })
  })
  if (request.method === 'HEAD') return reply.send()
  const beforeLast = range ? undefined : () => countIfPossible(shared, boxId)
  await send(shared, request, reply, image.blob, range, beforeLast)
  return reply
}

/** A file that can be read is not kept back because the download cannot be noted, as on a full disk. */
function countIfPossible({ services, log }: Shared, boxId: number): void {
  try {
    services.downloads.count(boxId)
  } catch (error) {
    log.error('a download could not be counted', error)
  }
}

/** A part is wanted only of the very file the client has the rest of, when it says which that was. */
function rangeIfWanted(request: FastifyRequest, etag: string, size: number): Range | null {
  const { range, 'if-range': ifRange } = request.raw.headers
  if (request.method === 'HEAD' || (ifRange !== undefined && ifRange !== etag)) return null
  return rangeOf(range, size)
}

/**
 * Writes the bytes past the framework, which knows no writing in parts. A client that leaves stops the reading; a file
 * that cannot be read to its end breaks the connection, so that nobody takes what came for the whole.
 */
async function send(
  { services, transfers, log }: Shared,
  request: FastifyRequest,
  reply: FastifyReply,
  blob: string,
  range: Range | null,
  beforeLast: (() => void) | undefined
): Promise<void> {
  reply.hijack()
  const response = reply.raw
  response.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders)
  const left = new AbortController()
  response.once('close', () => left.abort())
  try {
    const options = { signal: left.signal, ...(beforeLast && { beforeLast }) }
    await transfers.track(services.blobs.copyTo(blob, response, range ?? undefined, options))
    response.end()
  } catch (error) {
    if (!left.signal.aborted) log.error(`request ${request.id}: a download broke off`, error)
    response.destroy()
  }
}

const fileName = ({ box, version }: ImageRef, { provider, architecture }: Image): string =>
  `${[box, version, provider, architecture].join('-').replaceAll(/[^A-Za-z0-9._-]/g, '_')}.box`

/** An address in a header must be plain ASCII without anything that ends a line. */
const headerSafe = (url: string): string => url.replaceAll(/[^\x21-\x7e]/gu, encodeURIComponent)
