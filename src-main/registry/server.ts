import createFastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { admission } from './admission.ts'
import type { Api, Shared } from './api.ts'
import { authenticateRoutes, tokenRoutes } from './authenticate.ts'
import { boxRoutes } from './boxes.ts'
import { catalogueRoutes } from './catalogue.ts'
import { endIdleConnections, readRemainder } from './connections.ts'
import { v1, v2, type Dialect } from './dialect.ts'
import { Documents } from './documents.ts'
import { downloadRoutes } from './downloads.ts'
import { homeRoutes } from './home.ts'
import { defaultLimits, type RegistryLimits, type RegistryOptions } from './options.ts'
import { organizationRoutes } from './organizations.ts'
import { presenter } from './presenter.ts'
import { providerRoutes } from './providers.ts'
import { HttpProblem, refuse, refuseUnreadable } from './refusals.ts'
import { searchRoutes } from './search.ts'
import type { RegistryServices } from './services.ts'
import { Transfers } from './transfers.ts'
import { receivingRoutes } from './uploads.ts'
import { versionRoutes } from './versions.ts'

/**
 * The registry's HTTP server, not yet listening: `listen({ host, port })` starts it, `close()` ends it, giving what
 * still runs a few seconds.
 */
export function createServer(services: RegistryServices, options: RegistryOptions): FastifyInstance {
  const limits = { ...defaultLimits, ...options.limits }
  const { log } = options
  const admit = admission(options, limits, () => services.accounts.registryId())
  const onError = (error: unknown, request: FastifyRequest, reply: FastifyReply): void =>
    void refuse(error, request, reply, log)

  const app = createFastify({
    routerOptions: {
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      maxParamLength: limits.urlLength
    },
    // Addresses the router cannot read never come to the hooks below.
    frameworkErrors: (_error, request, reply) => {
      try {
        admit(request, reply)
        throw new HttpProblem(400, 'The address is not a valid URL; check what follows each "%".')
      } catch (error) {
        onError(error, request, reply)
      }
    },
    clientErrorHandler: refuseUnreadable,
    // While closing, what still comes over open connections is answered as ever, and the connections then end.
    return503OnClosing: false,
    http: {
      headersTimeout: limits.headersTime,
      connectionsCheckingInterval: 5_000
    }
  })
  app.decorateRequest('base', '').decorateRequest('contentType', undefined)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.addHook('onRequest', (request, reply, done) => {
    admit(request, reply)
    done()
  })
  app.addHook('onResponse', (request, _reply, done) => {
    readRemainder(request.raw, limits.lingerTime)
    done()
  })
  app.setErrorHandler(onError)
  app.setNotFoundHandler((request) => {
    throw new HttpProblem(
      404,
      `There is nothing at this address for ${request.method}; check its path and method.`
    )
  })

  const shared: Shared = {
    services,
    limits,
    log,
    documents: new Documents(services.revision, limits.cacheBytes),
    transfers: new Transfers()
  }
  homeRoutes(app)
  catalogueRoutes(app, shared)
  downloadRoutes(app, shared)
  receivingRoutes(app, shared)
  mount(app, shared, v1, [tokenRoutes])
  mount(app, shared, v2, [])

  keepConnectionsSane(app, limits)
  app.addHook('onClose', () => shared.transfers.settled())
  return app
}

type Routes = (app: FastifyInstance, api: Api) => void

/** One version of the API: the same resources, and what it alone has. */
function mount(app: FastifyInstance, shared: Shared, dialect: Dialect, ownRoutes: readonly Routes[]): void {
  const api: Api = { ...shared, dialect, present: presenter(dialect) }
  const resources = [
    authenticateRoutes,
    organizationRoutes,
    searchRoutes,
    boxRoutes,
    versionRoutes,
    providerRoutes,
    ...ownRoutes
  ]
  void app.register(
    (scope, _options, done) => {
      for (const routes of resources) routes(scope, api)
      done()
    },
    { prefix: `/api/${dialect.name}` }
  )
}

function keepConnectionsSane(app: FastifyInstance, limits: RegistryLimits): void {
  const { server } = app
  // Answered when the body is wanted, see askForBody.
  server.on('checkContinue', (request, response) => server.emit('request', request, response))
  endIdleConnections(server, limits.idleTime)
  app.addHook('preClose', (done) => {
    setTimeout(() => server.closeAllConnections(), limits.graceTime).unref()
    done()
  })
}
