import type { Deed, EndTraits } from '../../../domain/sync/plan-types.ts'
import type { ImageName } from '../../../domain/sync/snapshot.ts'
import type { BytesToPut, End, Listing, OpenedBytes, PutOptions, Seen, Tag } from '../../end.ts'
import { RemoteFailure } from '../../failure.ts'
import type { Api } from './api.ts'
import { apiPaths, canBeAsked, type ApiPaths } from './api-paths.ts'
import { Deeds } from './deeds.ts'
import { download } from './download.ts'
import type { Met } from './introduce.ts'
import { list } from './listing.ts'
import { Upload } from './upload.ts'

/** A registry over HTTP, in version 1 or 2 of the API. */
export class HttpEnd implements End {
  readonly traits: EndTraits
  readonly #api: Api
  readonly #paths: ApiPaths
  readonly #deeds: Deeds
  readonly #upload: Upload
  readonly #organizations: readonly string[]

  constructor(api: Api, { version, isBoxyard, introduction }: Met) {
    const paths = apiPaths(version)
    this.#api = api
    this.#paths = paths
    this.#deeds = new Deeds({ api, paths, version })
    this.#upload = new Upload({ api, paths, deeds: this.#deeds, checks: isBoxyard })
    this.#organizations = introduction.organizations
    this.traits = {
      architectures: version === 'v2',
      longestShortDescription: isBoxyard ? 255 : 100,
      writable: api.token !== null
    }
  }

  async read(tag: Tag, signal: AbortSignal): Promise<Seen | null> {
    if (!isAskable(tag)) return null
    return this.#deeds.box(tag, signal)
  }

  async carryOut(tag: Tag, deed: Exclude<Deed, { kind: 'put-bytes' }>, signal: AbortSignal): Promise<void> {
    this.#requireAskable(tag, 'version' in deed ? deed : {})
    await this.#deeds.carryOut(tag, deed, signal)
  }

  async put(tag: Tag, image: ImageName, bytes: BytesToPut, options: PutOptions): Promise<void> {
    this.#requireAskable(tag, image)
    await this.#upload.put(tag, image, bytes, options)
  }

  async open(tag: Tag, image: ImageName, from: number, signal: AbortSignal): Promise<OpenedBytes> {
    this.#requireAskable(tag, image)
    const shown = await this.#deeds.image(tag, image, signal)
    if (shown) return download(this.#api, shown, from, signal)
    throw new RemoteFailure('missing', [
      `There is no image for ${image.provider} on ${image.architecture} of ${tag.organization}/${tag.name} ${image.version} at ${this.#api.host}, or not for this token.`
    ])
  }

  async list(organization: string | null, cursor: string | null, signal: AbortSignal): Promise<Listing> {
    const organizations = organization === null ? this.#organizations : [organization]
    if (organizations.length === 0)
      throw new RemoteFailure('refused', [
        `${this.#api.host} cannot tell which organizations it has without a token; name one, or give this remote a token.`
      ])
    return list(
      { api: this.#api, paths: this.#paths },
      organizations.filter(canBeAsked),
      organization === null,
      cursor,
      signal
    )
  }

  async close(): Promise<void> {
    this.#api.close()
  }

  /** A name that would make another path of the address names nothing there, and nothing can be made under it. */
  #requireAskable(tag: Tag, what: { version?: string; provider?: string; architecture?: string }): void {
    const names = [what.version, what.provider, what.architecture].filter((name) => name !== undefined)
    if (isAskable(tag) && names.every(canBeAsked)) return
    throw new RemoteFailure('refused', [
      `No registry can have a box or a part of one by such a name; it was not asked.`
    ])
  }
}

const isAskable = ({ organization, name }: Tag): boolean => canBeAsked(organization) && canBeAsked(name)
