import type { Permissions } from '../access/permissions.ts'
import type { Caller, Role } from '../domain/model.ts'
import { missing } from '../domain/problem.ts'
import { boxTable, type BoxTable, type StoredBox } from '../store/boxes.ts'
import { imageTable, type ImageTable, type StoredImage } from '../store/images.ts'
import type { Db } from '../store/open.ts'
import { versionTable, type StoredVersion, type VersionTable } from '../store/versions.ts'
import { mirrorGuard, type MirrorGuard } from './mirror-guard.ts'

/** Names an image the way requests do; without an architecture it is the default one of its provider name. */
export interface ImageRef {
  readonly organization: string
  readonly box: string
  readonly version: string
  readonly provider: string
  readonly architecture: string | null
}

/** Finds what a request names, for those who may see or change it, and refuses everybody else. */
export class Lookup {
  readonly #permissions: Permissions
  readonly #boxes: BoxTable
  readonly #versions: VersionTable
  readonly #images: ImageTable

  readonly #guard: MirrorGuard

  constructor({ db, permissions }: { db: Db; permissions: Permissions }) {
    this.#guard = mirrorGuard(db)
    this.#permissions = permissions
    this.#boxes = boxTable(db)
    this.#versions = versionTable(db)
    this.#images = imageTable(db)
  }

  box(caller: Caller, organization: string, name: string): StoredBox {
    const box = this.#boxes.find(organization, name)
    if (!box || !this.#permissions.mayRead(caller, box.organizationId, box.private)) throw missing()
    return box
  }

  boxToChange(caller: Caller, organization: string, name: string): StoredBox {
    const box = this.#boxFor(caller, organization, name, 'contributor')
    this.#guard(caller, box)
    return box
  }

  /** All of it, which may be done with a mirrored box too. */
  boxToRemove(caller: Caller, organization: string, name: string): StoredBox {
    const box = this.#boxFor(caller, organization, name, 'admin')
    if (caller.kind === 'operator' && caller.mirrorOf !== undefined) this.#guard(caller, box)
    return box
  }

  /** Versions that were never released are there for members alone. */
  maySee(caller: Caller, box: StoredBox): (version: Pick<StoredVersion, 'status'>) => boolean {
    const isMember = this.#permissions.roleIn(caller, box.organizationId) !== null
    return ({ status }) => isMember || status !== 'unreleased'
  }

  version(caller: Caller, box: StoredBox, number: string): StoredVersion {
    const version = this.#versions.findEqual(box.id, number)
    if (!version || version.number !== number || !this.maySee(caller, box)(version)) throw missing()
    return version
  }

  image(version: StoredVersion, { provider, architecture }: ImageRef): StoredImage {
    const image =
      architecture === null
        ? this.#images.findDefault(version.id, provider)
        : this.#images.find(version.id, provider, architecture)
    if (!image) throw missing()
    return image
  }

  #boxFor(caller: Caller, organization: string, name: string, role: Role): StoredBox {
    this.#permissions.requireKnown(caller)
    const box = this.box(caller, organization, name)
    this.#permissions.require(caller, box.organizationId, role)
    return box
  }
}
