import type { FastifyInstance } from 'fastify'
import type { Api } from './api.ts'
import { readBody } from './bodies.ts'
import { knownCaller, requireCredential } from './credentials.ts'
import { check, secondFactorFields, signInFields, tokenFields, unwrap, unwrapOptional } from './fields.ts'
import { timestamp } from './presenter.ts'

/**
 * GET    /authenticate              is this token valid, and whose is it; with ?organizations=true, of which is that
 *                                   a member: other registries ask it, and clients get what they know
 */
export function authenticateRoutes(app: FastifyInstance, { services }: Api): void {
  app.get('/authenticate', (request, reply) => {
    const { id, name } = knownCaller(services.authentication, request)
    const { organizations } = request.query as Record<string, unknown>
    return reply.header('cache-control', 'private, no-cache').send({
      user: { username: name },
      ...(organizations === 'true' && { organizations: services.accounts.organizationsOf(id) })
    })
  })
}

/**
 * Tokens, in v1 alone; clients of v2 come here for them.
 *
 * POST   /authenticate              make a token with login and password
 * DELETE /authenticate              revoke the token this is sent with
 * POST   /two-factor/request-code   have a code sent
 */
export function tokenRoutes(app: FastifyInstance, { services, limits }: Api): void {
  app.post('/authenticate', async (request, reply) => {
    const body = await readBody(request, reply, limits)
    const { login, password } = check(signInFields, unwrap(body, 'user'))
    const { code } = check(secondFactorFields, unwrapOptional(body, 'two_factor'))
    const { description } = check(tokenFields, unwrapOptional(body, 'token'))
    const issued = await services.signIn.signIn({ login, password, code, description })
    return {
      description: issued.description,
      token: issued.token,
      token_hash: issued.hash,
      created_at: timestamp(issued.createdAt)
    }
  })

  app.delete('/authenticate', (request, reply) => {
    const { token } = requireCredential(services.authentication, request)
    services.tokens.revokeByValue(token)
    return reply.code(204).send()
  })

  app.post('/two-factor/request-code', async (request, reply) => {
    const body = await readBody(request, reply, limits)
    const { login, password } = check(signInFields, unwrap(body, 'user'))
    const { delivery_method: deliveryMethod } = check(secondFactorFields, unwrap(body, 'two_factor'))
    const sent = await services.signIn.requestCode({ login, password, deliveryMethod })
    return { two_factor: { obfuscated_destination: sent.obfuscatedDestination } }
  })
}
