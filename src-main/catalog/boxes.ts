import { setImmediate } from 'node:timers/promises'
import type { Permissions } from '../access/permissions.ts'
import type { Box, BoxWithVersions, Caller, Role } from '../domain/model.ts'
import { nameFault, nameKey } from '../domain/names.ts'
import { missing } from '../domain/problem.ts'
import { descriptionFault, refuseFaults, shortDescriptionFault } from '../domain/texts.ts'
import { blobTable, type BlobTable } from '../store/blob-rows.ts'
import { boxTable, type BoxFields, type BoxTable, type StoredBox } from '../store/boxes.ts'
import { mirroredTable, type MirroredTable } from '../store/mirrored.ts'
import type { Db } from '../store/open.ts'
import { organizationTable, type OrganizationTable } from '../store/organizations.ts'
import { trashTable, type TrashTable } from '../store/trash.ts'
import { Assembly } from './assembly.ts'
import type { Changes } from './changes.ts'
import { Lookup } from './lookup.ts'
import { renderMarkdown } from './markdown.ts'
import { mirrorGuard, readOnly, type MirrorGuard } from './mirror-guard.ts'
import type { Deleted } from './trash.ts'

/** What a client says of a box. Null or absent leaves what is there, or means the usual for a new one; "" clears a text. */
export interface BoxInput {
  /** For a new one alone. */
  readonly organization?: string | null
  readonly name?: string | null
  readonly shortDescription?: string | null
  readonly description?: string | null
  readonly private?: boolean | null
}

/** Held for as long as whoever reads takes: of larger ones, most would outlive two collections and stay for long. */
const pageSize = 50
/** Little is read of each. */
const stampPageSize = 1000
/** So many boxes are changed in some milliseconds. */
const partSize = 20

const newBox: BoxFields = {
  name: '',
  shortDescription: '',
  description: '',
  descriptionHtml: '',
  private: true
}

export class Boxes {
  readonly #permissions: Permissions
  readonly #changes: Changes
  readonly #lookup: Lookup
  readonly #assembly: Assembly
  readonly #boxes: BoxTable
  readonly #blobs: BlobTable
  readonly #organizations: OrganizationTable
  readonly #trash: TrashTable
  readonly #mirrored: MirroredTable
  readonly #guard: MirrorGuard

  constructor({ db, permissions, changes }: { db: Db; permissions: Permissions; changes: Changes }) {
    this.#permissions = permissions
    this.#changes = changes
    this.#lookup = new Lookup({ db, permissions })
    this.#assembly = new Assembly(db)
    this.#boxes = boxTable(db)
    this.#blobs = blobTable(db)
    this.#organizations = organizationTable(db)
    this.#trash = trashTable(db)
    this.#mirrored = mirroredTable(db)
    this.#guard = mirrorGuard(db)
  }

  /** With the versions the caller may see, newest number first. */
  read(caller: Caller, organization: string, name: string): BoxWithVersions {
    const box = this.#lookup.box(caller, organization, name)
    return this.#assembly.box(box, this.#lookup.maySee(caller, box))
  }

  /** With the versions that clients may choose from. */
  catalogue(caller: Caller, organization: string, name: string): BoxWithVersions {
    return this.#assembly.box(
      this.#lookup.box(caller, organization, name),
      ({ status }) => status === 'active'
    )
  }

  /**
   * The boxes of an organization that the caller may see, by name, some at a time: a listing need not fit in memory.
   * Each page is read when it is asked for.
   */
  *pagesOf(caller: Caller, organizationId: number): Generator<Box[], void, undefined> {
    const withPrivate = this.#permissions.mayRead(caller, organizationId, true)
    let after = ''
    for (;;) {
      const page = this.#boxes.page(organizationId, after, withPrivate, pageSize)
      const last = page.at(-1)
      if (!last) return
      yield this.#assembly.boxes(page)
      after = last.name
    }
  }

  /** The same, of each only its name and when it last changed: for those who look what is new. */
  *stampPagesOf(
    caller: Caller,
    organizationId: number
  ): Generator<readonly Pick<Box, 'name' | 'updatedAt'>[], void, undefined> {
    const withPrivate = this.#permissions.mayRead(caller, organizationId, true)
    let after = ''
    for (;;) {
      const page = this.#boxes.stamps(organizationId, after, stampPageSize, withPrivate)
      const last = page.at(-1)
      if (!last) return
      yield page
      after = last.nameKey
    }
  }

  /** In the order of the ids; those that are gone are left out. Asks for no permission: whoever chose the ids did. */
  byIds(ids: readonly number[]): Box[] {
    return this.#assembly.boxesById(ids)
  }

  create(caller: Caller, input: BoxInput): BoxWithVersions {
    this.#permissions.requireKnown(caller)
    return this.#changes.make((now) => {
      const organizationName = input.organization ?? ''
      const organization = this.#organizations.byName(nameKey(organizationName))
      if (organizationName !== '' && !organization) throw missing()
      if (organization) this.#permissions.require(caller, organization.id, 'contributor')
      const fields = fieldsAfter(newBox, input)
      const taken =
        organization && fields.name !== '' ? this.#boxes.find(organization.name, fields.name) : null
      refuseFaults([
        organization ? null : 'The organization of the box is missing.',
        ...faultsOf(fields),
        takenFault(taken)
      ])
      const organizationId = organization?.id ?? 0
      const id = this.#boxes.insert(organizationId, fields, now)
      this.#changes.boxChanged({ id, organizationId })
      return this.#whole(id)
    })
  }

  update(caller: Caller, organization: string, name: string, input: BoxInput): BoxWithVersions {
    return this.#changes.make(() => {
      const box = this.#lookup.boxToChange(caller, organization, name)
      const fields = fieldsAfter(box, input)
      const namesake = this.#boxes.find(box.organization, fields.name)
      refuseFaults([...faultsOf(fields), takenFault(namesake?.id === box.id ? null : namesake)])
      this.#boxes.update(box.id, fields)
      if (fields.name !== box.name) this.#changes.nameGoes(box)
      this.#changes.boxChanged(box)
      this.#blobs.markStaleOfBox(box.id)
      return this.#whole(box.id)
    })
  }

  /** To the trash. */
  remove(caller: Caller, organization: string, name: string): Deleted<BoxWithVersions> {
    return this.#changes.make((now) => {
      const box = this.#lookup.boxToRemove(caller, organization, name)
      const gone = this.#assembly.box(box, () => true)
      const what = `${box.organization}/${box.name}`
      const trashId = this.#trash.add(what, now)
      this.#toTrash(trashId, [box])
      return { gone, trashId, what }
    })
  }

  /**
   * Many at a time, a part in each transaction so that nobody else waits long; all of them under one entry of the trash.
   * Those that are gone already are passed over.
   */
  async removeMany(caller: Caller, ids: readonly number[]): Promise<Omit<Deleted<never>, 'gone'>> {
    const trashId = this.#changes.make((now) => this.#trash.add('boxes', now))
    let count = 0
    let what = ''
    await this.#inParts(ids, 'admin', caller, (boxes) => {
      const [first] = boxes
      if (!first) return
      count += boxes.length
      what = count === 1 ? `${first.organization}/${first.name}` : `${count} boxes`
      this.#trash.rename(trashId, what)
      this.#toTrash(trashId, boxes)
    })
    if (count === 0) {
      this.#changes.make(() => this.#trash.forget(trashId))
      throw missing()
    }
    return { trashId, what }
  }

  /** Returns how many are another now. */
  async setPrivateOfMany(caller: Caller, ids: readonly number[], isPrivate: boolean): Promise<number> {
    const mirror = this.#mirrored.firstOf(ids)
    if (mirror) {
      const box = this.#boxes.get(mirror.boxId)
      if (box) throw readOnly(box, mirror)
    }
    let count = 0
    await this.#inParts(ids, 'contributor', caller, (boxes) => {
      for (const box of boxes) {
        this.#guard(caller, box)
        if (box.private === isPrivate) continue
        count += 1
        this.#boxes.update(box.id, { ...box, private: isPrivate })
        this.#changes.boxChanged(box)
        this.#blobs.markStaleOfBox(box.id)
      }
    })
    return count
  }

  async #inParts(
    ids: readonly number[],
    role: Role,
    caller: Caller,
    work: (boxes: readonly StoredBox[]) => void
  ): Promise<void> {
    for (let start = 0; start < ids.length; start += partSize) {
      this.#changes.make(() => {
        const boxes = this.#boxes.byIds(ids.slice(start, start + partSize))
        for (const { organizationId } of boxes) this.#permissions.require(caller, organizationId, role)
        work(boxes)
      })
      await setImmediate()
    }
  }

  #toTrash(trashId: number, boxes: readonly StoredBox[]): void {
    for (const { id } of boxes) {
      this.#trash.keepBox(trashId, id)
      this.#blobs.markStaleOfBox(id)
    }
    this.#changes.boxesGo(boxes)
    for (const { id } of boxes) this.#boxes.remove(id)
  }

  #whole(id: number): BoxWithVersions {
    const box = this.#boxes.get(id)
    if (!box) throw missing()
    return this.#assembly.box(box, () => true)
  }
}

function fieldsAfter(current: BoxFields, input: BoxInput): BoxFields {
  const description = input.description ?? current.description
  return {
    name: input.name ?? current.name,
    shortDescription: input.shortDescription ?? current.shortDescription,
    description,
    descriptionHtml:
      description === current.description ? current.descriptionHtml : renderMarkdown(description),
    private: input.private ?? current.private
  }
}

const faultsOf = ({ name, shortDescription, description }: BoxFields): (string | null)[] => [
  nameFault('The box name', name),
  shortDescriptionFault(shortDescription),
  descriptionFault(description)
]

const takenFault = (box: StoredBox | null): string | null =>
  box &&
  `There already is a box ${box.organization}/${box.name}; names are told apart without regard to case.`
