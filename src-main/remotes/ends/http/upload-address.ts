import { z } from 'zod'
import type { ImageName } from '../../../domain/sync/snapshot.ts'
import type { Tag } from '../../end.ts'
import { RemoteFailure } from '../../failure.ts'
import type { Api } from './api.ts'
import type { ApiPaths } from './api-paths.ts'
import { callbackAddress, uploadAddress } from './redirects.ts'
import { odd } from './said.ts'

const direct = z.object({ upload_path: z.string(), callback: z.string() })
const simple = z.object({ upload_path: z.string() })

/** Where a file is to be sent. */
export interface UploadAddress {
  readonly url: URL
  /** Null for one that needs no other call. */
  readonly callback: URL | null
}

/** Straight to where the bytes are kept, unless the registry offers no such thing or not for as many. */
export async function addressFor(
  api: Api,
  paths: ApiPaths,
  { tag, name, size }: { tag: Tag; name: ImageName; size: number | null },
  signal: AbortSignal
): Promise<UploadAddress> {
  if (size !== null && size <= api.limits.directBytes) {
    const answer = await api.try({ method: 'GET', at: paths.directUpload(tag, name), signal })
    if (!(answer instanceof RemoteFailure)) {
      const said = direct.safeParse(answer.json)
      const callback = said.success ? callbackAddress(api.base, said.data.callback) : null
      if (!said.success || !callback) throw odd(api.host, 'no usable address for an upload')
      return { url: usable(api, said.data.upload_path), callback }
    }
    if (answer.kind !== 'missing' && answer.kind !== 'refused') throw answer
  }
  const answer = await api.call({ method: 'GET', at: paths.upload(tag, name), signal })
  const said = simple.safeParse(answer.json)
  if (!said.success) throw odd(api.host, 'no usable address for an upload')
  return { url: usable(api, said.data.upload_path), callback: null }
}

function usable(api: Api, address: string): URL {
  const url = uploadAddress(api.base, address)
  if (url) return url
  throw new RemoteFailure('odd', [
    `${api.host} wants the file sent to an address that is not safe, so nothing was sent there.`,
    'Only HTTPS is; check the address of this remote, or tell its operator.'
  ])
}
