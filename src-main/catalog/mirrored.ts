import { setImmediate } from 'node:timers/promises'
import { missing, Problem } from '../domain/problem.ts'
import { boxTable, type BoxTable, type StoredBox } from '../store/boxes.ts'
import { mirroredTable, type MirroredFrom, type MirroredTable } from '../store/mirrored.ts'
import type { Db } from '../store/open.ts'
import type { Changes } from './changes.ts'

/** So many boxes are forked in one transaction. */
const partSize = 200

/** Which boxes are mirrors of a remote's, and may not be changed here until they are forked. */
export class Mirrored {
  readonly #changes: Changes
  readonly #boxes: BoxTable
  readonly #mirrored: MirroredTable

  constructor({ db, changes }: { db: Db; changes: Changes }) {
    this.#changes = changes
    this.#boxes = boxTable(db)
    this.#mirrored = mirroredTable(db)
  }

  /** Null for an own box, and for none. */
  remoteOf(organization: string, box: string): number | null {
    return this.of(organization, box)?.remoteId ?? null
  }

  /** The same with the remote's name. */
  of(organization: string, box: string): MirroredFrom | null {
    const found = this.#boxes.find(organization, box)
    return found && this.#mirrored.of(found.id)
  }

  /** Makes it an own one. What is known and not here is an image without a file from then on. */
  fork(organization: string, box: string): void {
    this.#changes.make(() => {
      const found = this.#found(organization, box)
      if (!this.#mirrored.of(found.id))
        throw new Problem(
          'invalid',
          `${found.organization}/${found.name} is no mirror: it is a box of its own, and can be changed as it is.`
        )
      this.#fork(found)
    })
  }

  /** The same with all mirrors of one remote. In parts: others get their turns in between. */
  async forkAllOf(remoteId: number): Promise<void> {
    const some = (): number[] => this.#mirrored.someOf(remoteId, partSize)
    for (let ids = some(); ids.length > 0; ids = some()) {
      this.#changes.make(() => this.#boxes.byIds(ids).forEach((box) => this.#fork(box)))
      await setImmediate()
    }
  }

  /** Makes an own box a mirror. Who calls this has seen that it holds nothing the remote has not. */
  adopt(organization: string, box: string, remoteId: number): void {
    this.#changes.make(() => {
      const found = this.#found(organization, box)
      this.#mirrored.mark(found.id, remoteId)
      this.#changes.boxChanged(found)
    })
  }

  #fork(box: StoredBox): void {
    this.#mirrored.unmark(box.id)
    this.#mirrored.forgetKnownOf(box.id)
    this.#changes.boxChanged(box)
  }

  #found(organization: string, box: string): StoredBox {
    const found = this.#boxes.find(organization, box)
    if (!found) throw missing()
    return found
  }
}
