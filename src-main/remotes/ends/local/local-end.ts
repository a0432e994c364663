import type { BlobDriver } from '../../../blobs/driver.ts'
import type { Boxes } from '../../../catalog/boxes.ts'
import type { Changes } from '../../../catalog/changes.ts'
import type { Images } from '../../../catalog/images.ts'
import type { Placing } from '../../../catalog/placing.ts'
import type { Publishing } from '../../../catalog/publishing.ts'
import type { Versions } from '../../../catalog/versions.ts'
import type { ChecksumType } from '../../../domain/model.ts'
import type { Db } from '../../../store/open.ts'
import type { ImageName } from '../../../domain/sync/snapshot.ts'
import type { End, Listing, OpenedBytes, Seen, Tag } from '../../end.ts'
import { unwritten } from '../../unwritten.ts'

/** The catalogue here, as one of the ends boxes go between. */
export class LocalEnd implements End {
  readonly traits = { architectures: true, longestShortDescription: 255, writable: true }

  constructor(_parts: {
    db: Db
    blobs: BlobDriver
    boxes: Boxes
    versions: Versions
    images: Images
    placing: Placing
    publishing: Publishing
    changes: Changes
  }) {}

  /** The same catalogue, in which boxes that are made or pulled are mirrors of that remote and may be changed as such. */
  asMirrorOf(_remoteId: number): End {
    return unwritten()
  }

  /** A checksum of an image's bytes in a type that was not computed before; read again if need be. */
  checksum(_tag: Tag, _image: ImageName, _type: ChecksumType): Promise<string | null> {
    return unwritten()
  }

  read(): Promise<Seen | null> {
    return unwritten()
  }

  carryOut(): Promise<void> {
    return unwritten()
  }

  put(): Promise<void> {
    return unwritten()
  }

  open(): Promise<OpenedBytes> {
    return unwritten()
  }

  list(): Promise<Listing> {
    return unwritten()
  }

  async close(): Promise<void> {}
}
