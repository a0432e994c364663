import type { BoxSnapshot, ImageSnapshot, VersionSnapshot } from '../../src-main/domain/sync/snapshot.ts'
import type { End, Listed, Listing, OpenedBytes, Seen, Tag } from '../../src-main/remotes/end.ts'
import { RemoteFailure } from '../../src-main/remotes/failure.ts'

/** A place with boxes in memory, which notes what it is asked and fails when it is told to. */
export class MemoryEnd implements End {
  readonly traits = { architectures: true, longestShortDescription: 255, writable: true }
  readonly boxes = new Map<string, { readonly tag: Tag; snapshot: BoxSnapshot; stamp: string | null }>()
  /** What it was asked, in order: "list acme", "read acme/base". */
  asked: string[] = []
  /** Thrown by whatever is asked next, until it is taken back. */
  failure: Error | null = null
  /** Of a listing: breaks off after so many boxes. */
  breaksAfter = Infinity
  /** Lists these alone, whatever there is. */
  lists: ((tag: Tag) => boolean) | null = null
  stamps = true
  #changes = 0

  /** Puts a box there, or another one in its place. */
  has(tag: string, snapshot: BoxSnapshot): void {
    const [organization = '', name = ''] = tag.split('/')
    this.#changes += 1
    this.boxes.set(tag, { tag: { organization, name }, snapshot, stamp: `stamp ${this.#changes}` })
  }

  remove(tag: string): void {
    this.#changes += 1
    this.boxes.delete(tag)
  }

  /** What it was asked since the last time. */
  takeAsked(): string[] {
    const asked = this.asked
    this.asked = []
    return asked
  }

  async read({ organization, name }: Tag): Promise<Seen | null> {
    this.#ask(`read ${organization}/${name}`)
    const found = this.boxes.get(`${organization}/${name}`)
    return found ? { snapshot: found.snapshot, stamp: this.stamps ? found.stamp : null } : null
  }

  async list(organization: string | null, cursor: string | null): Promise<Listing> {
    this.#ask(`list ${organization ?? '*'}`)
    const now = `at ${this.#changes}`
    if (
      organization !== null &&
      ![...this.boxes.values()].some(({ tag }) => tag.organization === organization)
    )
      if (this.missingOrganizations.has(organization)) throw new RemoteFailure('missing', ['There is none.'])
    const unchanged = cursor === now
    return { unchanged, cursor: () => now, boxes: this.#pages(organization, unchanged) }
  }

  readonly missingOrganizations = new Set<string>()

  async carryOut(): Promise<void> {
    throw new Error('not asked for')
  }

  async put(): Promise<void> {
    throw new Error('not asked for')
  }

  open(): Promise<OpenedBytes> {
    throw new Error('not asked for')
  }

  async close(): Promise<void> {}

  async *#pages(organization: string | null, unchanged: boolean): AsyncGenerator<readonly Listed[]> {
    if (unchanged) return
    let listed = 0
    for (const { tag, stamp } of this.boxes.values()) {
      if (organization !== null && tag.organization !== organization) continue
      if (this.lists && !this.lists(tag)) continue
      listed += 1
      if (listed > this.breaksAfter) throw new RemoteFailure('offline', ['It was cut off.'])
      yield [{ ...tag, stamp: this.stamps ? stamp : null }]
    }
  }

  #ask(what: string): void {
    this.asked.push(what)
    if (this.failure) throw this.failure
  }
}

/** An image of a snapshot, with bytes that can be told by their checksum. */
export const imageOf = (
  over: Partial<ImageSnapshot> & { bytes?: string; size?: number | null } = {}
): ImageSnapshot => {
  const { bytes = 'bytes', size = 100, ...rest } = over
  return {
    provider: 'virtualbox',
    architecture: 'amd64',
    isDefault: true,
    content: { kind: 'bytes', size, checksums: { sha256: bytes } },
    ...rest
  }
}

export const versionOf = (number: string, over: Partial<VersionSnapshot> = {}): VersionSnapshot => ({
  number,
  status: 'active',
  description: '',
  images: [imageOf()],
  ...over
})

export const boxOf = (over: Partial<BoxSnapshot> = {}): BoxSnapshot => ({
  shortDescription: '',
  description: '',
  private: false,
  versions: [versionOf('1.0.0')],
  ...over
})
