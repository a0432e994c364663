import { randomUUID } from 'node:crypto'
import { basename } from 'node:path'
import type { ArrivalDraft } from '../../contract/arrivals.ts'
import { emptyDraft, fileNameOf } from '../../domain/arrival-draft.ts'
import { shownFileName } from '../../domain/file-name.ts'
import { imageUrlFault } from '../../domain/image-url.ts'
import { Problem } from '../../domain/problem.ts'
import { refuseFaults } from '../../domain/texts.ts'
import type { StoredArrival } from '../../store/arrivals.ts'
import type { Drafting } from './drafting.ts'
import { findFiles, type FoundFile, type Refused } from './found-files.ts'
import type { Ledger } from './ledger.ts'

/** What the person says of a file. */
export type SaidOfDraft = Partial<ArrivalDraft>

/** So many may be on their way at the same time; each has a row that is listed. */
const mostUnderWay = 1000
/** A transaction for so many: others get their turn in between. */
const addedAtATime = 100

interface Parts {
  readonly ledger: Ledger
  readonly drafting: Drafting
  readonly now: () => number
}

/** Puts files that were dropped, named or begun to be sent into the ledger, with a first proposal for each. */
export class ArrivalIntake {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Answers the ids of all, of those that were on their way already as well; `onAdded` is called after each part. */
  async paths(
    paths: readonly string[],
    said: SaidOfDraft,
    onAdded: () => void
  ): Promise<{ ids: string[]; refused: Refused[] }> {
    const found = await findFiles(paths)
    const ids: string[] = []
    const refused = [...found.refused]
    for (let at = 0; at < found.files.length; at += addedAtATime) {
      const part = this.#part(found.files.slice(at, at + addedAtATime), said)
      ids.push(...part.ids)
      refused.push(...part.refused)
      onAdded()
      await new Promise((resolve) => setImmediate(resolve))
    }
    return { ids, refused }
  }

  url(text: string, said: SaidOfDraft): StoredArrival {
    const origin = text.trim()
    refuseFaults([imageUrlFault(origin)])
    this.checkRoom()
    const fileName = fileNameOf(origin)
    return this.#add({ kind: 'url', fileName, origin, size: null, state: 'ready' }, said)
  }

  /** One whose bytes are about to come. */
  stream(
    id: string,
    fileName: string,
    size: number | null,
    said: SaidOfDraft
  ): StoredArrival & { readonly stagedId: string } {
    const { ledger } = this.#parts
    if (ledger.table.get(id))
      throw new Problem('conflict', 'A file was sent under this id before; drop it again.')
    this.checkRoom()
    const stagedId = randomUUID()
    const name = basename(fileName.replaceAll('\\', '/'))
    const of = { id, kind: 'stream', fileName: name, origin: '', size, state: 'reading', stagedId } as const
    return { ...this.#add(of, said), stagedId }
  }

  checkRoom(): void {
    if (this.#room() === 0) throw new Problem('conflict', tooMany)
  }

  #part(files: readonly FoundFile[], said: SaidOfDraft): { ids: string[]; refused: Refused[] } {
    const { ledger } = this.#parts
    const ids: string[] = []
    const refused: Refused[] = []
    const added: StoredArrival[] = []
    const room = this.#room()
    for (const { path, fileName, size } of files) {
      const there = ledger.table.onItsWayFrom(path)
      if (there) ids.push(there.id)
      else if (added.length >= room) refused.push({ origin: path, sentences: [tooMany] })
      else {
        const made = this.#made({ kind: 'path', fileName, origin: path, size }, said, added.length)
        added.push(made)
        ids.push(made.id)
      }
    }
    ledger.add(added)
    return { ids, refused }
  }

  #add(of: NewArrival, said: SaidOfDraft): StoredArrival {
    const arrival = this.#made(of, said)
    this.#parts.ledger.add([arrival])
    return arrival
  }

  #made(of: NewArrival, said: SaidOfDraft, after = 0): StoredArrival {
    const { ledger, drafting, now } = this.#parts
    const arrival: StoredArrival = {
      id: randomUUID(),
      state: 'waiting',
      position: ledger.table.nextPosition() + after,
      ...{ confirmed: false, draft: emptyDraft, touched: [], stagedId: null, digest: null, problem: null },
      ...{ createdAt: now(), finishedAt: null },
      ...of,
      fileName: shownFileName(of.fileName)
    }
    return { ...arrival, ...drafting.propose(arrival, said) }
  }

  #room(): number {
    return Math.max(0, mostUnderWay - this.#parts.ledger.table.countUnderWay())
  }
}

type NewArrival = Pick<StoredArrival, 'kind' | 'fileName' | 'origin' | 'size'> & Partial<StoredArrival>

const tooMany = `${mostUnderWay} files are on their way already; publish or cancel some of them first.`
