import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ImageRef } from '../catalog/lookup.ts'
import type { Image } from '../domain/model.ts'
import { Problem } from '../domain/problem.ts'
import type { Api, ProviderPath, VersionPath } from './api.ts'
import { readBody } from './bodies.ts'
import { callerOf, knownCaller } from './credentials.ts'
import { path } from './dialect.ts'
import { check, providerFields, unwrap } from './fields.ts'

/**
 * POST   …/version/:version/providers
 *
 * and under …/version/:version/provider/:provider, which v2 follows with /:architecture; without one, and in v1, it
 * is the default architecture that is meant:
 *
 * GET    (itself)
 * PUT    (itself)
 * DELETE (itself)
 * GET    /upload                a URL to send the box file to
 * GET    /upload/direct         the same, for an upload that a call completes:
 * PUT    /upload/direct/:id     that call
 */
export function providerRoutes(app: FastifyInstance, api: Api): void {
  const version = '/box/:username/:name/version/:version'
  createRoute(app, api, `${version}/providers`)
  const forms = api.dialect.knowsArchitectures ? ['', '/:architecture'] : ['']
  for (const form of forms) {
    imageRoutes(app, api, `${version}/provider/:provider${form}`)
    uploadRoutes(app, api, `${version}/provider/:provider${form}/upload`)
  }
}

function createRoute(app: FastifyInstance, { services, limits, dialect, present }: Api, url: string): void {
  const { authentication, images, versions } = services
  app.post<{ Params: VersionPath }>(url, async (request, reply) => {
    const caller = knownCaller(authentication, request)
    const { username, name, version } = request.params
    const body = await readBody(request, reply, limits)
    const input = dialect.understood(check(providerFields, unwrap(body, 'provider')))
    const place = { organization: username, box: name, version }
    // Who knows no architectures could not tell a second provider of a name from the first.
    if (!dialect.knowsArchitectures) {
      const there = versions.read(caller, username, name, version).images
      if (there.some(({ provider }) => provider === input.provider))
        throw new Problem('invalid', 'Metadata provider must be unique for version')
    }
    return present.provider(request.base, place, images.create(caller, place, input))
  })
}

function imageRoutes(app: FastifyInstance, { services, limits, dialect, present }: Api, url: string): void {
  const { authentication, images } = services
  const show = ({ base, params }: ProviderRequest, image: Image) =>
    present.provider(base, refOf(params), image)

  app.get<{ Params: ProviderPath }>(url, (request, reply) => {
    const caller = callerOf(authentication, request)
    return reply.send(show(request, images.read(caller, refOf(request.params))))
  })

  app.put<{ Params: ProviderPath }>(url, async (request, reply) => {
    const caller = knownCaller(authentication, request)
    const body = await readBody(request, reply, limits)
    const input = dialect.understood(check(providerFields, unwrap(body, 'provider')))
    return show(request, await images.update(caller, refOf(request.params), input))
  })

  app.delete<{ Params: ProviderPath }>(url, (request, reply) => {
    const caller = knownCaller(authentication, request)
    return reply.send(show(request, images.remove(caller, refOf(request.params)).gone))
  })
}

function uploadRoutes(app: FastifyInstance, { services, dialect, present }: Api, url: string): void {
  const { authentication, uploads } = services
  // Asking makes something, so it must not happen for a HEAD.
  const noHead = { exposeHeadRoute: false }
  const addressOf = ({ base }: FastifyRequest, { id, key }: { id: string; key: string }) =>
    `${base}/upload${path(id)}?key=${encodeURIComponent(key)}`

  app.get<{ Params: ProviderPath }>(url, noHead, (request, reply) => {
    const caller = knownCaller(authentication, request)
    const issued = uploads.issue(caller, refOf(request.params), 'simple')
    return reply.send({ upload_path: addressOf(request, issued) })
  })

  app.get<{ Params: ProviderPath }>(`${url}/direct`, noHead, (request, reply) => {
    const caller = knownCaller(authentication, request)
    const issued = uploads.issue(caller, refOf(request.params), 'direct')
    const { username, name, version, provider, architecture } = request.params
    const image = path('box', username, name, 'version', version, 'provider', provider)
    const form = architecture === undefined ? '' : path(architecture)
    const callback = `${request.base}/api/${dialect.name}${image}${form}/upload/direct${path(issued.id)}`
    return reply.send({ upload_path: addressOf(request, issued), callback })
  })

  app.put<{ Params: ProviderPath & { id: string } }>(`${url}/direct/:id`, async (request) => {
    const caller = knownCaller(authentication, request)
    const ref = refOf(request.params)
    return present.provider(request.base, ref, await uploads.finish(caller, ref, request.params.id))
  })
}

type ProviderRequest = FastifyRequest<{ Params: ProviderPath }>

function refOf({ username, name, version, provider, architecture }: ProviderPath): ImageRef {
  return { organization: username, box: name, version, provider, architecture: architecture ?? null }
}
