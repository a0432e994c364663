import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Version } from '../domain/model.ts'
import type { Api, BoxPath, VersionPath } from './api.ts'
import { readBody } from './bodies.ts'
import { callerOf, knownCaller } from './credentials.ts'
import { check, unwrap, versionFields } from './fields.ts'

/**
 * GET    /box/:username/:name/version/:version
 * POST   /box/:username/:name/versions
 * PUT    /box/:username/:name/version/:version
 * DELETE /box/:username/:name/version/:version
 * PUT    /box/:username/:name/version/:version/release
 * PUT    /box/:username/:name/version/:version/revoke
 */
export function versionRoutes(app: FastifyInstance, { services, limits, present }: Api): void {
  const { authentication, versions } = services
  const one = '/box/:username/:name/version/:version'
  const show = ({ base, params }: FastifyRequest<{ Params: BoxPath }>, version: Version) =>
    present.version(base, params.username, params.name, version)

  app.get<{ Params: VersionPath }>(one, (request, reply) => {
    const { username, name, version } = request.params
    const caller = callerOf(authentication, request)
    return reply.send(show(request, versions.read(caller, username, name, version)))
  })

  app.post<{ Params: BoxPath }>('/box/:username/:name/versions', async (request, reply) => {
    const caller = knownCaller(authentication, request)
    const { username, name } = request.params
    const body = await readBody(request, reply, limits)
    const input = check(versionFields, unwrap(body, 'version'))
    return show(request, versions.create(caller, username, name, input))
  })

  app.put<{ Params: VersionPath }>(one, async (request, reply) => {
    const caller = knownCaller(authentication, request)
    const { username, name, version } = request.params
    const body = await readBody(request, reply, limits)
    const input = check(versionFields, unwrap(body, 'version'))
    return show(request, versions.update(caller, username, name, version, input))
  })

  app.delete<{ Params: VersionPath }>(one, (request, reply) => {
    const caller = knownCaller(authentication, request)
    const { username, name, version } = request.params
    return reply.send(show(request, versions.remove(caller, username, name, version).gone))
  })

  for (const change of ['release', 'revoke'] as const)
    app.put<{ Params: VersionPath }>(`${one}/${change}`, (request, reply) => {
      const caller = knownCaller(authentication, request)
      const { username, name, version } = request.params
      return reply.send(show(request, versions[change](caller, username, name, version)))
    })
}
