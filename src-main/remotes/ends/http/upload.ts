import { z } from 'zod'
import { strongest } from '../../../domain/checksum.ts'
import { tellChecksums } from '../../../domain/sync/compare.ts'
import type { ImageName } from '../../../domain/sync/snapshot.ts'
import type { BytesToPut, PutOptions, Tag } from '../../end.ts'
import { othersAreThere, RemoteFailure } from '../../failure.ts'
import type { Api } from './api.ts'
import type { ApiPaths } from './api-paths.ts'
import type { Deeds } from './deeds.ts'
import type { ShownImage } from './documents.ts'
import type { Incoming, OutgoingBytes } from './exchange.ts'
import { Check, sized } from './outgoing-file.ts'
import { callbackAddress, isRedirect } from './redirects.ts'
import { odd } from './said.ts'
import { addressFor, type UploadAddress } from './upload-address.ts'

/** An address that was not used in time is asked for anew so many times. */
const mostAddresses = 3

/** What is kept of an upload whose bytes are over, until the call that completes it was answered. */
const kept = z.object({ callback: z.string(), checksum: z.string().nullable() })

/** Brings the bytes of images to a registry. */
export class Upload {
  readonly #api: Api
  readonly #paths: ApiPaths
  readonly #deeds: Deeds
  readonly #checks: boolean

  constructor(parts: {
    api: Api
    paths: ApiPaths
    deeds: Deeds
    /** Whether the registry is known to compare what arrives with what was declared. */
    checks: boolean
  }) {
    this.#api = parts.api
    this.#paths = parts.paths
    this.#deeds = parts.deeds
    this.#checks = parts.checks
  }

  async put(tag: Tag, name: ImageName, bytes: BytesToPut, options: PutOptions): Promise<void> {
    const { signal, memo } = options
    if (await this.#finishEarlier(tag, name, bytes, options)) return
    const before = await this.#image(tag, name, signal)
    if (isThere(before, bytes)) return void memo.write(null)
    refuseOthers(before, name, bytes)
    const replaces = before.content.kind === 'bytes'
    const declared = strongest(bytes.checksums)
    const saysSo = declared !== null && before.checksum?.value === declared.value
    // Where nobody compares, what is declared is shown at once, and would be wrong for the bytes that are there still.
    const declareFirst = declared !== null && !saysSo && (this.#checks || !replaces)
    if (declareFirst) await this.#deeds.declare(tag, name, bytes.checksums, signal)
    await this.#sendAll(tag, name, bytes, options)
    if (declared !== null && !saysSo && !declareFirst)
      await this.#deeds.declare(tag, name, bytes.checksums, signal)
    await this.#confirm(tag, name, bytes, signal)
    memo.write(null)
  }

  /** The bytes of an earlier attempt may all be there, waiting for one call. */
  async #finishEarlier(tag: Tag, name: ImageName, bytes: BytesToPut, options: PutOptions): Promise<boolean> {
    const { signal, memo, onProgress, onVerifying } = options
    const earlier = kept.safeParse(memo.read())
    const same = earlier.success && earlier.data.checksum === markOf(bytes)
    const callback = same ? callbackAddress(this.#api.base, earlier.data.callback) : null
    if (!callback) return false
    if (bytes.size !== null) onProgress(bytes.size)
    onVerifying()
    try {
      await this.#completeUnlessOthers(tag, name, bytes, callback, signal)
      await this.#confirm(tag, name, bytes, signal)
    } catch (error) {
      if (!(error instanceof RemoteFailure) || !['expired', 'refused', 'damaged'].includes(error.kind))
        throw error
      memo.write(null)
      return false
    }
    memo.write(null)
    return true
  }

  async #sendAll(tag: Tag, name: ImageName, bytes: BytesToPut, options: PutOptions): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#sendOnce(tag, name, bytes, options)
      } catch (error) {
        if (!(error instanceof RemoteFailure)) throw error
        if (error.kind === 'expired' && attempt < mostAddresses) continue
        if (error.ambiguous && (await this.#hasArrived(tag, name, bytes, options.signal))) return
        throw error
      }
    }
  }

  async #sendOnce(tag: Tag, name: ImageName, bytes: BytesToPut, options: PutOptions): Promise<void> {
    const { signal, memo, onProgress, onVerifying } = options
    const source = await sized(bytes, signal)
    let last = false
    let all = false
    try {
      const address = await addressFor(this.#api, this.#paths, { tag, name, size: source.size }, signal)
      const check = this.#checks ? null : new Check(bytes.checksums)
      onProgress(0)
      const failure = await this.#transmit(address, {
        size: source.size,
        open: source.open,
        onPiece: (piece) => check?.take(piece),
        onSent: (count) => {
          onProgress(count)
          if (last && !all) {
            all = true
            onVerifying()
          }
        },
        onLast: () => {
          check?.pass()
          last = true
        },
        signal
      })
      if (failure && !(all && failure.ambiguous && address.callback && this.#checks)) throw failure
      if (address.callback === null) return
      // Noted before the call: what is over need not be sent again, whatever becomes of the call.
      if (!failure) memo.write({ callback: address.callback.href, checksum: markOf(bytes) })
      try {
        await this.#completeUnlessOthers(tag, name, bytes, address.callback, signal)
      } catch (error) {
        // It was only tried whether the bytes had arrived although nobody said so.
        throw failure ?? this.#forgetIfGone(error, memo)
      }
    } finally {
      source.close()
    }
  }

  #forgetIfGone(error: unknown, memo: PutOptions['memo']): unknown {
    if (error instanceof RemoteFailure && ['expired', 'refused', 'damaged'].includes(error.kind))
      memo.write(null)
    return error
  }

  async #transmit(
    { url, callback }: UploadAddress,
    { signal, ...body }: OutgoingBytes & { signal: AbortSignal }
  ): Promise<RemoteFailure | null> {
    let incoming: Incoming
    try {
      incoming = await this.#api.send({ method: 'PUT', url, withToken: false, body, signal })
    } catch (error) {
      if (error instanceof RemoteFailure) return error
      throw error
    }
    if (incoming.status >= 200 && incoming.status <= 299) {
      if (incoming.early) {
        incoming.body.destroy()
        return new RemoteFailure('odd', [`${url.host} said it had the whole file before it was sent.`])
      }
      incoming.body.resume().on('error', () => {})
      return null
    }
    return this.#refusedBytes(url, incoming, callback === null)
  }

  /** Storage speaks no API: its status is all that counts, and most refusals mean that the address is over. */
  async #refusedBytes(url: URL, incoming: Incoming, isSimple: boolean): Promise<RemoteFailure> {
    const { status } = incoming
    if (isRedirect(status)) {
      incoming.body.destroy()
      return odd(url.host, 'another address when it was sent the file')
    }
    const failure = await this.#api.refusal(incoming, true, url.host)
    const own = url.origin === this.#api.base.origin
    if (
      [404, 410, 400].includes(status) ||
      (status === 403 && !(own && isSimple)) ||
      (status === 401 && !own)
    )
      return new RemoteFailure('expired', [
        `${url.host} does not take the file at the address it was to be sent to: that was not used in time.`,
        'A new address is asked for.'
      ])
    return checksumRefused(failure)
  }

  /** Sending may have taken hours, and the answer to an earlier call may have been lost. */
  async #completeUnlessOthers(
    tag: Tag,
    name: ImageName,
    bytes: BytesToPut,
    callback: URL,
    signal: AbortSignal
  ): Promise<void> {
    const now = await this.#image(tag, name, signal)
    if (isThere(now, bytes)) return
    refuseOthers(now, name, bytes)
    await this.#complete(callback, signal)
  }

  /** The call that makes a file that has been sent the file of its image. */
  async #complete(callback: URL, signal: AbortSignal): Promise<void> {
    const answer = await this.#api.try({ method: 'PUT', at: callback, signal })
    if (!(answer instanceof RemoteFailure)) return
    if (answer.kind === 'missing')
      throw new RemoteFailure('expired', [
        `${this.#api.host} no longer knows of the file it was sent. It is sent again.`
      ])
    throw checksumRefused(answer)
  }

  async #image(tag: Tag, name: ImageName, signal: AbortSignal): Promise<ShownImage> {
    const image = await this.#deeds.image(tag, name, signal)
    if (image) return image
    throw new RemoteFailure('missing', [
      `There is no image for ${name.provider} on ${name.architecture} of version ${name.version} at ${this.#api.host} to send a file for.`
    ])
  }

  async #hasArrived(tag: Tag, name: ImageName, bytes: BytesToPut, signal: AbortSignal): Promise<boolean> {
    try {
      return isThere(await this.#image(tag, name, signal), bytes)
    } catch (error) {
      // What could not be asked is not known, and what went wrong before is what counts.
      if (error instanceof RemoteFailure) return false
      throw error
    }
  }

  /** Whether what is there now is what was sent, as far as the registry says. */
  async #confirm(tag: Tag, name: ImageName, bytes: BytesToPut, signal: AbortSignal): Promise<void> {
    const { checksum } = await this.#image(tag, name, signal)
    const own = checksum ? bytes.checksums[checksum.type] : undefined
    if (own === undefined || own === checksum?.value) return
    throw new RemoteFailure('damaged', [
      `${this.#api.host} says that what arrived for ${name.provider} on ${name.architecture} has another checksum than what was sent.`,
      'It is sent again; if that does not help, compare the files.'
    ])
  }
}

/** Tells bytes from others that an earlier attempt may have sent. */
const markOf = ({ checksums }: BytesToPut): string | null => strongest(checksums)?.value ?? null

/** Bytes with those checksums are there, so that none need be sent. One that can be compared must be. */
function isThere({ content, hasArrived }: ShownImage, { checksums }: BytesToPut): boolean {
  return content.kind === 'bytes' && hasArrived && tellChecksums(checksums, content.checksums) === 'same'
}

function refuseOthers(
  { content, hasArrived }: ShownImage,
  name: ImageName,
  { replaces = false }: BytesToPut
): void {
  if (content.kind === 'bytes' && hasArrived && !replaces)
    throw othersAreThere(`${name.provider} on ${name.architecture} of version ${name.version}`)
}

/** A refusal for the sake of the checksum tells of the bytes, not of the request. */
const checksumRefused = (failure: RemoteFailure): RemoteFailure =>
  failure.kind === 'refused' && failure.sentences.some((sentence) => /checksum/i.test(sentence))
    ? new RemoteFailure('damaged', failure.sentences)
    : failure
