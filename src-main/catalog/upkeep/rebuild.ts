import type { Accounts } from '../../access/accounts.ts'
import type { BlobDriver } from '../../blobs/driver.ts'
import { Problem } from '../../domain/problem.ts'
import { blobTable, type BlobTable } from '../../store/blob-rows.ts'
import { boxTable, type BoxTable, type StoredBox } from '../../store/boxes.ts'
import { imageTable, type ImageTable, type StoredImage } from '../../store/images.ts'
import type { Db } from '../../store/open.ts'
import { versionTable, type StoredVersion, type VersionTable } from '../../store/versions.ts'
import type { Changes } from '../changes.ts'
import { renderMarkdown } from '../markdown.ts'
import type { Profiles } from '../profiles.ts'
import { readSidecar, type Sidecar, type Sidecars } from '../sidecars.ts'
import { faultOfUse, nameOfUse, type SidecarUse } from './sidecar-rules.ts'

/** What a rebuild added or brought up to date, and sentences about what could not be used. */
export interface RebuildReport {
  readonly organizations: number
  readonly boxes: number
  readonly versions: number
  readonly images: number
  readonly skipped: readonly string[]
}

type Counted = 'organizations' | 'boxes' | 'versions' | 'images'

/** One blob's use, and what this use has led to so far. */
interface Step {
  readonly sidecar: Sidecar
  readonly use: SidecarUse
  readonly owner: string
  readonly done: Counted[]
}

/**
 * Makes what the catalogue lacks again from what lies beside the stored bytes. Removes nothing, and changes a version
 * only where the sidecar was written later, as after an older backup took the catalogue's place. Sidecars are files
 * that anybody may have written, so the rules for clients hold for them too.
 */
export class Rebuild {
  readonly #blobs: BlobDriver
  readonly #accounts: Accounts
  readonly #changes: Changes
  readonly #sidecars: Sidecars
  readonly #profiles: Profiles
  readonly #rows: BlobTable
  readonly #boxes: BoxTable
  readonly #versions: VersionTable
  readonly #images: ImageTable
  /** When each version had last changed before this run changed it. */
  readonly #changedAt = new Map<number, number>()
  /** Images that this run made: only those give their place as the default to another one. */
  readonly #made = new Set<number>()

  constructor(parts: {
    db: Db
    blobs: BlobDriver
    accounts: Accounts
    changes: Changes
    sidecars: Sidecars
    profiles: Profiles
  }) {
    this.#blobs = parts.blobs
    this.#accounts = parts.accounts
    this.#changes = parts.changes
    this.#sidecars = parts.sidecars
    this.#profiles = parts.profiles
    this.#rows = blobTable(parts.db)
    this.#boxes = boxTable(parts.db)
    this.#versions = versionTable(parts.db)
    this.#images = imageTable(parts.db)
  }

  async run(onAdded: (sentence: string) => void = () => {}): Promise<RebuildReport> {
    const owner = this.#accounts.owner()?.name
    if (owner === undefined)
      throw new Problem(
        'invalid',
        'This folder has no owner yet. Start the server on it once, then try again.'
      )
    const counts = { organizations: 0, boxes: 0, versions: 0, images: 0 }
    const skipped: string[] = []
    const profiles = new Map<string, string>()
    // What the catalogue knows better is written down first, or a box deleted a moment ago would come back.
    await this.#sidecars.drain()
    for await (const { sha256, size } of this.#blobs.list()) {
      const sidecar = await this.#sidecarOf(sha256, size)
      if (typeof sidecar === 'string') skipped.push(sidecar)
      else
        for (const use of sidecar.uses) {
          const done = this.#carryOut({ sidecar, use, owner, done: [] }, skipped)
          for (const what of done) counts[what] += 1
          if (done.length === 0) continue
          onAdded(`${nameOfUse(use)} was added.`)
          const { name, profile } = use.organization
          if (!profiles.has(name)) profiles.set(name, profile)
        }
    }
    for (const [name, profile] of profiles) await this.#addProfile(name, profile)
    await this.#sidecars.drain()
    return { ...counts, skipped }
  }

  /** Only where something was missing, or one that was cleared might come back. */
  async #addProfile(name: string, profile: string): Promise<void> {
    if (profile !== '' && this.#accounts.findOrganization(name)?.profileMarkdown === '')
      await this.#profiles.set(name, profile)
  }

  /** A sentence where there is none that can be used. */
  async #sidecarOf(sha256: string, size: number): Promise<Sidecar | string> {
    try {
      const sidecar = readSidecar(await this.#blobs.readSidecar(sha256))
      if (sidecar && sidecar.sha256 === sha256 && sidecar.size === size) return sidecar
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return error.message
    }
    return `Nothing beside the file ${sha256} says what it is for.`
  }

  #carryOut(step: Step & { sidecar: Sidecar }, skipped: string[]): readonly Counted[] {
    const fault = faultOfUse(step.use, step.sidecar.sha256)
    try {
      if (fault) throw new Problem('invalid', fault)
      this.#changes.make((now) => this.#apply(step, now))
      return step.done
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      skipped.push(`${nameOfUse(step.use)} was left out: ${error.message}`)
      return []
    }
  }

  #apply(step: Step, now: number): void {
    const { use, done } = step
    const box = this.#boxes.find(use.organization.name, use.box.name) ?? this.#addBox(step)
    const version = this.#versions.findEqual(box.id, use.version.number) ?? this.#addVersion(box, step)
    const changedAt = this.#changedAt.get(version.id) ?? version.updatedAt
    this.#changedAt.set(version.id, changedAt)
    const isNewer = use.version.updatedAt > changedAt
    const image = this.#images.find(version.id, use.image.provider, use.image.architecture)
    if (!image) this.#addImage(version, step, now)
    else if (isNewer && image.blob !== step.sidecar.sha256) {
      if (image.blob !== null) this.#rows.markStale(image.blob)
      this.#setBytes(image, step, now)
    } else if (isNewer && version.status !== use.version.status) done.push('versions')
    if (done.length === 0) return
    if (isNewer) this.#versions.setStatus(version.id, use.version.status, use.version.updatedAt)
    this.#rows.markStaleOfVersion(version.id)
    this.#changes.boxChanged(box)
  }

  #addBox({ use: { organization, box }, owner, done }: Step): StoredBox {
    let home = this.#accounts.findOrganization(organization.name)
    if (!home) {
      home = this.#accounts.addOrganization(organization.name, owner)
      done.push('organizations')
    }
    const { name, shortDescription, description } = box
    const descriptionHtml = renderMarkdown(description)
    const fields = { name, shortDescription, description, descriptionHtml, private: box.private }
    done.push('boxes')
    return found(this.#boxes.get(this.#boxes.insert(home.id, fields, box.createdAt)))
  }

  #addVersion(box: StoredBox, { use: { version }, done }: Step): StoredVersion {
    const { number, description, status, createdAt, updatedAt } = version
    const fields = { number, description, descriptionHtml: renderMarkdown(description) }
    const id = this.#versions.insert(box.id, fields, createdAt)
    this.#versions.setStatus(id, status, updatedAt)
    // Until another sidecar of the same version says something newer, it is as this one says.
    done.push('versions')
    return found(this.#versions.get(id))
  }

  #addImage(version: StoredVersion, step: Step, now: number): void {
    const { provider, architecture, checksumType, expected, isDefault, createdAt } = step.use.image
    const declared = { type: checksumType, expected }
    const id = this.#images.insert(version.id, { provider, architecture, url: null, declared }, createdAt)
    this.#setBytes({ id, provider, architecture }, step, now)
    const current = this.#images.findDefault(version.id, provider)
    if (!current || (isDefault && this.#made.has(current.id)))
      this.#images.setDefault({ id, versionId: version.id, provider })
    this.#made.add(id)
  }

  #setBytes(
    image: Pick<StoredImage, 'id' | 'provider' | 'architecture'>,
    { sidecar, use, done }: Step,
    now: number
  ): void {
    const { sha256, size, format, facts } = sidecar
    const blob = { sha256, size, format, facts: JSON.stringify(facts), createdAt: now }
    if (this.#rows.put(blob)) this.#changes.bytesChanged(sha256)
    const { checksum, checksumType, expected, createdAt } = use.image
    this.#images.setBytes(image.id, { blob: sha256, checksum, hostedToken: null }, createdAt)
    const { provider, architecture } = image
    const declared = { type: checksumType, expected }
    this.#images.update(image.id, { provider, architecture, url: null, declared }, createdAt)
    done.push('images')
  }
}

function found<T>(row: T | null): T {
  if (row === null) throw new Error('a row just written is not there')
  return row
}
