import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { canBeServed, type BoxWithVersions, type Image, type Version } from '../domain/model.ts'
import type { BoxPath, Shared } from './api.ts'
import { callerOf } from './credentials.ts'
import { v1, v2 } from './dialect.ts'
import { scopeOf, sendDocument } from './documents.ts'

/**
 * What `vagrant box add` reads, which the API's documents leave out:
 *
 * GET, HEAD  /:username/:name
 * GET, HEAD  /api/v2/vagrant/:username/:name
 */
export function catalogueRoutes(app: FastifyInstance, { services, documents }: Shared): void {
  const answer = (request: BoxRequest, reply: FastifyReply, imagesOf: ImagesOf, form: string) => {
    const { username, name } = request.params
    const caller = callerOf(services.authentication, request)
    const parts = ['catalogue', form, request.base, scopeOf(caller), username, name]
    const document = documents.of(parts, () =>
      catalogue(request.base, services.boxes.catalogue(caller, username, name), imagesOf)
    )
    return sendDocument(request, reply, document)
  }

  app.get<{ Params: BoxPath }>('/:username/:name', (request, reply) =>
    knowsArchitectures(request.raw.headers['user-agent'])
      ? answer(request, reply, defaultsLast, 'all')
      : answer(request, reply, v1.imagesOf, 'defaults')
  )
  app.get<{ Params: BoxPath }>('/api/v2/vagrant/:username/:name', (request, reply) =>
    answer(request, reply, defaultsLast, 'all')
  )
}

type BoxRequest = FastifyRequest<{ Params: BoxPath }>
type ImagesOf = (version: Version) => readonly Image[]

/** Of several entries with one provider name, a client that knows no architectures takes the last. */
const defaultsLast: ImagesOf = ({ images }) => [
  ...images.filter(({ isDefault }) => !isDefault),
  ...images.filter(({ isDefault }) => isDefault)
]

/** Vagrant does since 2.4.0; one that does not say what it is, is taken for an old one. */
export function knowsArchitectures(userAgent: string | undefined): boolean {
  if (userAgent === undefined) return false
  const vagrant = /^Vagrant\/(\d+)\.(\d+)/.exec(userAgent)
  if (!vagrant) return true
  const [major, minor] = [Number(vagrant[1]), Number(vagrant[2])]
  return major > 2 || (major === 2 && minor >= 4)
}

/** The document for one box. What cannot be downloaded is left out: clients take the newest version for granted. */
function catalogue(base: string, box: BoxWithVersions, imagesOf: ImagesOf) {
  return {
    name: `${box.organization}/${box.name}`,
    description: box.description,
    short_description: box.shortDescription,
    versions: box.versions
      .map((version) => ({
        version: version.number,
        status: version.status,
        description_html: version.descriptionHtml,
        description_markdown: version.description,
        providers: imagesOf(version)
          .filter(canBeServed)
          .map((image) => ({
            name: image.provider,
            url:
              base +
              v2.downloadPath(
                { organization: box.organization, box: box.name, version: version.number },
                image
              ),
            checksum: image.checksum,
            checksum_type: image.checksumType,
            architecture: image.architecture,
            default_architecture: image.isDefault
          }))
      }))
      .filter(({ providers }) => providers.length > 0)
  }
}
