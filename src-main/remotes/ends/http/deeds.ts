import { strongest } from '../../../domain/checksum.ts'
import type { Deed } from '../../../domain/sync/plan-types.ts'
import type { Checksums, ImageName } from '../../../domain/sync/snapshot.ts'
import type { ChecksumType } from '../../../domain/model.ts'
import type { Tag } from '../../end.ts'
import { RemoteFailure } from '../../failure.ts'
import type { Api } from './api.ts'
import type { ApiPaths, ApiVersion } from './api-paths.ts'
import { boxOf, imageOf, versionOf, type ShownBox, type ShownImage, type ShownVersion } from './documents.ts'
import { odd } from './said.ts'

type CarriedOut = Exclude<Deed, { kind: 'put-bytes' }>

/** What a deed and its undisturbed look at the registry share. */
interface Parts {
  readonly api: Api
  readonly paths: ApiPaths
  readonly version: ApiVersion
}

/** Reads and changes what a registry says of a box, one thing at a time, never without having looked. */
export class Deeds {
  readonly #api: Api
  readonly #paths: ApiPaths
  readonly #version: ApiVersion

  constructor({ api, paths, version }: Parts) {
    this.#api = api
    this.#paths = paths
    this.#version = version
  }

  async box(tag: Tag, signal: AbortSignal): Promise<ShownBox | null> {
    return this.#shown(this.#paths.box(tag), boxOf, signal)
  }

  async version(tag: Tag, number: string, signal: AbortSignal): Promise<ShownVersion | null> {
    return this.#shown(this.#paths.version(tag, number), versionOf, signal)
  }

  async image(tag: Tag, name: ImageName, signal: AbortSignal): Promise<ShownImage | null> {
    return this.#shown(this.#paths.image(tag, name), imageOf, signal)
  }

  async carryOut(tag: Tag, deed: CarriedOut, signal: AbortSignal): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const todo = await this.#todo(tag, deed, signal)
      if (todo === null) return
      const answer = await this.#change(todo, signal)
      if (answer === null) return
      // It may be done all the same, or somebody else has just done it: what is there tells, not the answer.
      const unsure = answer.ambiguous || answer.kind === 'refused'
      if (!unsure || attempt > 1 || (await this.#todo(tag, deed, signal)) !== null)
        throw worded(answer, tag, deed, this.#api.host)
      return
    }
  }

  /** Says of which bytes an image is or will be. */
  async declare(tag: Tag, name: ImageName, checksums: Checksums, signal: AbortSignal): Promise<void> {
    const provider = { name: name.provider, ...this.#architecture(name), ...declared(checksums) }
    await this.#api.call({ method: 'PUT', at: this.#paths.image(tag, name), body: { provider }, signal })
  }

  async #shown<T>(at: string, shape: (json: unknown) => T | null, signal: AbortSignal): Promise<T | null> {
    const answer = await this.#api.find({ method: 'GET', at, signal })
    if (!answer) return null
    const shown = shape(answer.json)
    if (shown === null) throw odd(this.#api.host, 'JSON that describes nothing it was asked for')
    return shown
  }

  async #change({ method, at, body }: Todo, signal: AbortSignal): Promise<RemoteFailure | null> {
    try {
      const answer = await this.#api.try({ method, at, signal, ...(body && { body }) })
      return answer instanceof RemoteFailure ? answer : null
    } catch (error) {
      if (error instanceof RemoteFailure) return error
      throw error
    }
  }

  /** The call that makes a deed so; null when it is so already. */
  async #todo(tag: Tag, deed: CarriedOut, signal: AbortSignal): Promise<Todo | null> {
    const paths = this.#paths
    switch (deed.kind) {
      case 'create-box': {
        if (await this.box(tag, signal)) return null
        const { organization: username, name } = tag
        return {
          method: 'POST',
          at: paths.boxes,
          body: { box: { username, name, ...boxFields(deed.texts) } }
        }
      }
      case 'change-box': {
        const there = required(
          await this.box(tag, signal),
          `the box ${tag.organization}/${tag.name}`,
          this.#api.host
        )
        const { texts } = deed
        const same = (Object.keys(texts) as (keyof typeof texts)[]).every(
          (key) => texts[key] === undefined || texts[key] === there.snapshot[key]
        )
        return same ? null : { method: 'PUT', at: paths.box(tag), body: { box: boxFields(texts) } }
      }
      case 'create-version': {
        if (await this.version(tag, deed.version, signal)) return null
        const { version, description } = deed
        return { method: 'POST', at: paths.versions(tag), body: { version: { version, description } } }
      }
      case 'change-version': {
        const { version, description } = deed
        const there = required(await this.version(tag, version, signal), `version ${version}`, this.#api.host)
        if (there.description === description) return null
        return { method: 'PUT', at: paths.version(tag, version), body: { version: { version, description } } }
      }
      case 'create-image':
        return this.#createImage(tag, deed, await this.image(tag, deed, signal))
      case 'change-image':
        return this.#changeImage(tag, deed, await this.image(tag, deed, signal))
      case 'release': {
        const { status } = required(
          await this.version(tag, deed.version, signal),
          `version ${deed.version}`,
          this.#api.host
        )
        if (status === 'active') return null
        if (status === 'revoked')
          throw new RemoteFailure('refused', [
            `Version ${deed.version} was revoked at ${this.#api.host}, which is final; publish it under another number.`
          ])
        return { method: 'PUT', at: paths.release(tag, deed.version) }
      }
      case 'revoke': {
        const { status } = required(
          await this.version(tag, deed.version, signal),
          `version ${deed.version}`,
          this.#api.host
        )
        return status === 'revoked' ? null : { method: 'PUT', at: paths.revoke(tag, deed.version) }
      }
      case 'remove-image':
        return (await this.image(tag, deed, signal)) && { method: 'DELETE', at: paths.image(tag, deed) }
      case 'remove-version':
        return (
          (await this.version(tag, deed.version, signal)) && {
            method: 'DELETE',
            at: paths.version(tag, deed.version)
          }
        )
      case 'remove-box':
        return (await this.box(tag, signal)) && { method: 'DELETE', at: paths.box(tag) }
    }
  }

  #createImage(
    tag: Tag,
    deed: Extract<CarriedOut, { kind: 'create-image' }>,
    there: ShownImage | null
  ): Todo | null {
    if (there) return deed.isDefault ? this.#makeDefault(tag, deed, there) : null
    const provider = {
      name: deed.provider,
      ...(deed.url !== null && { url: deed.url }),
      ...declared(deed.checksums),
      ...this.#architecture(deed),
      ...(this.#version === 'v2' && { default_architecture: deed.isDefault })
    }
    return { method: 'POST', at: this.#paths.images(tag, deed.version), body: { provider } }
  }

  #changeImage(
    tag: Tag,
    deed: Extract<CarriedOut, { kind: 'change-image' }>,
    found: ShownImage | null
  ): Todo | null {
    const what = `the image for ${deed.provider} on ${deed.architecture} of version ${deed.version}`
    const there = required(found, what, this.#api.host)
    const wanted = deed.url
    const atUrl =
      wanted === undefined ||
      (there.content.kind === 'url' && there.content.url === wanted.url && agrees(there, wanted.checksums))
    if (atUrl) return deed.isDefault ? this.#makeDefault(tag, deed, there) : null
    const provider = {
      name: deed.provider,
      url: wanted.url,
      ...declared(wanted.checksums),
      ...this.#architecture(deed),
      ...(deed.isDefault && this.#version === 'v2' && { default_architecture: true })
    }
    return { method: 'PUT', at: this.#paths.image(tag, deed), body: { provider } }
  }

  #makeDefault(tag: Tag, name: ImageName, there: ShownImage): Todo | null {
    if (there.isDefault || this.#version === 'v1') return null
    const provider = { name: name.provider, ...this.#architecture(name), default_architecture: true }
    return { method: 'PUT', at: this.#paths.image(tag, name), body: { provider } }
  }

  #architecture({ architecture }: ImageName): { architecture?: string } {
    return this.#version === 'v2' ? { architecture } : {}
  }
}

interface Todo {
  readonly method: 'POST' | 'PUT' | 'DELETE'
  readonly at: string
  readonly body?: object
}

/** A refusal in words of what was tried. */
function worded(
  failure: RemoteFailure,
  { organization }: Tag,
  deed: CarriedOut,
  host: string
): RemoteFailure {
  if (failure.kind !== 'missing' || deed.kind !== 'create-box') return failure
  return new RemoteFailure('missing', [
    `There is no organization ${organization} at ${host}, or not for this token.`,
    'Have it made there, or map the organization here to one that is there.'
  ])
}

/** Whether what is shown of an image is the checksum of these bytes, as far as both can be compared. */
const agrees = ({ checksum }: ShownImage, checksums: Checksums): boolean => {
  const own = checksum ? checksums[checksum.type] : undefined
  return own === undefined ? strongest(checksums) === null : own === checksum?.value
}

function declared(checksums: Checksums): { checksum?: string; checksum_type?: ChecksumType } {
  const one = strongest(checksums)
  return one ? { checksum: one.value, checksum_type: one.type } : {}
}

const boxFields = (texts: {
  readonly shortDescription?: string
  readonly description?: string
  readonly private?: boolean
}) => ({
  ...(texts.shortDescription !== undefined && { short_description: texts.shortDescription }),
  ...(texts.description !== undefined && { description: texts.description }),
  ...(texts.private !== undefined && { is_private: texts.private })
})

function required<T>(thing: T | null, what: string, host: string): T {
  if (thing !== null) return thing
  throw new RemoteFailure('missing', [
    `There is no ${what.replace(/^the /, '')} at ${host} any more, or not for this token. Look again what is there.`
  ])
}
