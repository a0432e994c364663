import type { Box, BoxWithVersions, Image, Version } from '../domain/model.ts'
import { boxTable, type BoxTable, type StoredBox } from '../store/boxes.ts'
import { imageTable, type ImageTable, type StoredImage } from '../store/images.ts'
import type { Db } from '../store/open.ts'
import { versionTable, type StoredVersion, type VersionTable } from '../store/versions.ts'

/** Puts rows together to the things services hand out, with as few statements as there are tables. */
export class Assembly {
  readonly #boxes: BoxTable
  readonly #versions: VersionTable
  readonly #images: ImageTable

  constructor(db: Db) {
    this.#boxes = boxTable(db)
    this.#versions = versionTable(db)
    this.#images = imageTable(db)
  }

  /** With those of its versions that pass. */
  box(box: StoredBox, passes: (version: StoredVersion) => boolean): BoxWithVersions {
    const all = joined(this.#versions.ofBox(box.id), this.#images.ofBox(box.id))
    const currentVersion = all.find(({ id }) => id === box.currentVersionId) ?? null
    return { ...box, currentVersion, versions: all.filter(passes) }
  }

  /** In the order of the ids; those that are gone are left out. */
  boxesById(ids: readonly number[]): Box[] {
    const found = new Map(this.boxes(this.#boxes.byIds(ids)).map((box) => [box.id, box]))
    return ids.map((id) => found.get(id)).filter((box) => box !== undefined)
  }

  boxes(boxes: readonly StoredBox[]): Box[] {
    const ids = boxes.map(({ currentVersionId }) => currentVersionId).filter((id) => id !== null)
    const current = joined(this.#versions.byIds(ids), this.#images.ofVersions(ids))
    const byId = new Map(current.map((version) => [version.id, version]))
    return boxes.map((box) => ({ ...box, currentVersion: byId.get(box.currentVersionId ?? 0) ?? null }))
  }

  version(version: StoredVersion): Version {
    return { ...version, images: this.#images.ofVersion(version.id) }
  }
}

function joined(
  versions: readonly StoredVersion[],
  images: readonly StoredImage[]
): (StoredVersion & Version)[] {
  const byVersion = new Map<number, Image[]>()
  for (const image of images) {
    const siblings = byVersion.get(image.versionId)
    if (siblings) siblings.push(image)
    else byVersion.set(image.versionId, [image])
  }
  return versions.map((version) => ({ ...version, images: byVersion.get(version.id) ?? [] }))
}
