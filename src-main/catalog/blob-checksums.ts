import type { BlobDriver } from '../blobs/driver.ts'
import type { ChecksumType } from '../domain/model.ts'
import { Problem } from '../domain/problem.ts'

/** The checksum of bytes that are in the store; in another type than the one that names them they are read again. */
export async function blobChecksum(blobs: BlobDriver, sha256: string, type: ChecksumType): Promise<string> {
  if (type === 'sha256') return sha256
  const checksum = (await blobs.digest(sha256, [type]))?.checksums[type]
  if (checksum === undefined)
    throw new Problem(
      'invalid',
      'The file of this provider is missing from the store, so nothing can be said of it; upload it again.'
    )
  return checksum
}
