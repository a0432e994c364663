import type { ArrivalDraft, ArrivalPlan } from '../../contract/arrivals.ts'
import type { Accounts } from '../../access/accounts.ts'
import { proposeDraft, type DraftSurroundings } from '../../domain/arrival-draft.ts'
import { architectureOf, planArrival, type PlanSurroundings } from '../../domain/arrival-plan.ts'
import { typeNeeded } from '../../domain/checksum.ts'
import type { ChecksumType } from '../../domain/model.ts'
import { numberFault } from '../../domain/version-number.ts'
import type { DraftField, StoredArrival } from '../../store/arrivals.ts'
import { boxTable, type BoxTable } from '../../store/boxes.ts'
import { imageTable, type ImageTable } from '../../store/images.ts'
import { mirroredTable, type MirroredTable } from '../../store/mirrored.ts'
import type { Db } from '../../store/open.ts'
import { versionTable, type VersionTable } from '../../store/versions.ts'
import { factsOf } from './ledger.ts'

type Drafted = Pick<StoredArrival, 'draft' | 'touched'>

/** What is proposed for a file and what publishing it would do, given what there is in the catalogue. */
export class Drafting {
  readonly #accounts: Accounts
  readonly #boxes: BoxTable
  readonly #versions: VersionTable
  readonly #images: ImageTable
  readonly #mirrored: MirroredTable

  constructor({ db, accounts }: { db: Db; accounts: Accounts }) {
    this.#accounts = accounts
    this.#boxes = boxTable(db)
    this.#versions = versionTable(db)
    this.#images = imageTable(db)
    this.#mirrored = mirroredTable(db)
  }

  /** The draft with what the person says of it now, the rest proposed anew. */
  propose(
    arrival: Pick<StoredArrival, 'fileName' | 'draft' | 'touched' | 'digest'>,
    said: Partial<ArrivalDraft> = {}
  ): Drafted {
    const given: Partial<ArrivalDraft> = Object.fromEntries(
      Object.entries(said).filter(([, value]) => value !== undefined)
    )
    const touched = new Set([...arrival.touched, ...(Object.keys(given) as DraftField[])])
    const facts = arrival.digest && factsOf(arrival.digest.facts)
    const draft = proposeDraft(
      { fileName: arrival.fileName, facts },
      { before: arrival.draft, said: given, touched },
      this.#surroundings()
    )
    return { draft, touched: [...touched] }
  }

  plan({ kind, origin, size, digest, draft }: StoredArrival): ArrivalPlan {
    return planArrival(
      { kind, origin, size: kind === 'url' ? null : size, digest },
      draft,
      this.#target(draft)
    )
  }

  /** The types in which the bytes should be digested while they are read, so that publishing need not read them again. */
  typesNeeded(draft: ArrivalDraft): ChecksumType[] {
    const image = this.#target(draft).version?.images.find(
      ({ provider, architecture }) => provider === draft.provider && architecture === architectureOf(draft)
    )
    return [
      ...new Set([
        ...(image ? [typeNeeded(image.declared)] : []),
        ...(draft.checksum === '' ? [] : [draft.checksumType])
      ])
    ]
  }

  #target({ organization, name, version }: ArrivalDraft): PlanSurroundings {
    const found = this.#accounts.findOrganization(organization)
    const box = found && this.#boxes.find(found.name, name)
    const there = box && numberFault(version) === null ? this.#versions.findEqual(box.id, version) : null
    return {
      organization: found,
      box: box && { ...box, mirrorOf: this.#mirrored.of(box.id)?.remoteName ?? null },
      version: there && { ...there, images: this.#images.ofVersion(there.id) }
    }
  }

  #surroundings(): DraftSurroundings {
    return {
      owner: this.#accounts.owner()?.name ?? '',
      highestVersion: (organization, name) => {
        const box = this.#boxes.find(organization, name)
        return box && this.#versions.highestOf(box.id)
      }
    }
  }
}
