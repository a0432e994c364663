import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Api } from './api.ts'
import { callerOf } from './credentials.ts'
import { check } from './fields.ts'
import type { SearchQuery } from '../catalog/search.ts'

/**
 * GET    /search    q, provider, architecture (v2), sort, order, limit, page
 */
export function searchRoutes(app: FastifyInstance, { services, dialect, present }: Api): void {
  app.get('/search', async (request, reply) => {
    const asked = check(searchParameters, request.query)
    const query = dialect.knowsArchitectures ? asked : { ...asked, architecture: null }
    const ids = await services.search.find(callerOf(services.authentication, request), query)
    // A box may have gone, or lost its last release, since it was found; clients break on one without a version.
    const boxes = services.boxes.byIds(ids).filter((box) => box.currentVersion !== null)
    reply.header('cache-control', 'private, no-cache')
    return { boxes: boxes.map((box) => present.listedBox(request.base, box)) }
  })
}

const largestPage = 100

/** Clients send parameters they have no value for as empty ones. */
const parameter = (name: string) =>
  z
    .string({ error: `The parameter ${name} may be given only once.` })
    .optional()
    .transform((value) => value || null)

const oneOf = <T extends string>(name: string, values: readonly [T, ...T[]]) =>
  parameter(name).transform((value, context): T => {
    const known = value === null ? values[0] : values.find((each) => each === value)
    if (known !== undefined) return known
    context.addIssue({
      code: 'custom',
      message: `The parameter ${name} must be one of ${values.join(', ')}.`
    })
    return z.NEVER
  })

const count = (name: string, otherwise: number) =>
  parameter(name).transform((value, context): number => {
    if (value === null) return otherwise
    if (/^[0-9]{1,15}$/.test(value) && Number(value) >= 1) return Number(value)
    context.addIssue({ code: 'custom', message: `The parameter ${name} must be a whole number from 1 on.` })
    return z.NEVER
  })

const searchParameters = z
  .object({
    q: parameter('q').transform((q) => q ?? ''),
    provider: parameter('provider'),
    architecture: parameter('architecture'),
    // The documents spell it so, and clients do not.
    architcture: parameter('architcture'),
    sort: oneOf('sort', ['downloads', 'created', 'updated']),
    order: oneOf('order', ['desc', 'asc']),
    limit: count('limit', 10).transform((limit) => Math.min(limit, largestPage)),
    page: count('page', 1)
  })
  .transform(({ architcture, architecture, ...rest }): SearchQuery => ({
    ...rest,
    architecture: architecture ?? architcture
  }))
