import { setImmediate } from 'node:timers/promises'
import { nameKey } from '../domain/names.ts'
import { isPrerelease } from '../domain/version-number.ts'
import { catalogueRows, type WholeBox, type WholeImage, type WholeVersion } from '../store/catalogue-rows.ts'
import { listingTable } from '../store/listings.ts'
import { memberTable } from '../store/members.ts'
import type { Db } from '../store/open.ts'
import { organizationTable } from '../store/organizations.ts'
import { settingsTable } from '../store/settings.ts'
import { write } from '../store/write.ts'
import * as data from './demo-data.ts'
import { renderMarkdown } from './markdown.ts'
import { Random } from './random.ts'

export interface DemoOptions {
  readonly boxes: number
  readonly seed: number
  readonly onProgress?: (made: number) => void
}

export interface DemoSummary {
  readonly organizations: number
  readonly boxes: number
  readonly versions: number
  readonly images: number
  readonly privateBoxes: number
}

/**
 * How many boxes go into one transaction: a server on the same folder waits for one of them at most, a second or
 * two. The more there are, the more of what search knows is rewritten each time, so the larger the steps.
 */
const fewestAtATime = 8192
const mostAtATime = 32_768

const day = 86_400_000
/** The times of a demonstration follow from its seed alone, not from when it is made. */
const firstDay = Date.UTC(2015, 0, 1)
const lastDay = Date.UTC(2025, 11, 31)

/**
 * Fills the catalogue with invented boxes. The same seed makes the same catalogue in an empty folder;
 * where boxes of those names are there already, the new ones carry the next free number.
 */
export class Demo {
  readonly #db: Db
  readonly #rows: ReturnType<typeof catalogueRows>
  readonly #listings: ReturnType<typeof listingTable>
  readonly #organizations: ReturnType<typeof organizationTable>

  constructor(db: Db) {
    this.#db = db
    this.#rows = catalogueRows(db)
    this.#listings = listingTable(db)
    this.#organizations = organizationTable(db)
  }

  async create({ boxes, seed, onProgress }: DemoOptions): Promise<DemoSummary> {
    const random = new Random(seed)
    const names = organizationNames(boxes)
    const ids = write(this.#db, () => names.map((name) => this.#organization(name)))
    const taken = new Map<string, number>()
    const summary = { organizations: names.length, boxes: 0, versions: 0, images: 0, privateBoxes: 0 }
    const addOne = (touched: Set<number>): number => {
      // Every tenth box belongs to one big organization; the others have the more the earlier they come.
      const place = random.chance(0.1) ? 0 : Math.floor(random.next() ** 2 * names.length)
      const [name, organizationId] = [names[place] as string, ids[place] as number]
      const box = demoBox(random, name, (wanted) => this.#freeName(taken, organizationId, wanted))
      touched.add(organizationId)
      summary.boxes += 1
      summary.versions += box.versions.length
      for (const { images } of box.versions) summary.images += images.length
      if (box.private) summary.privateBoxes += 1
      return this.#rows.addBox(organizationId, box)
    }
    while (summary.boxes < boxes) {
      const step = Math.min(Math.max(fewestAtATime, summary.boxes >> 2), mostAtATime)
      const count = Math.min(step, boxes - summary.boxes)
      write(this.#db, () => {
        const touched = new Set<number>()
        this.#listings.addNew(Array.from({ length: count }, () => addOne(touched)))
        for (const id of touched) this.#organizations.touch(id, Date.now())
      })
      onProgress?.(summary.boxes)
      await setImmediate()
    }
    return summary
  }

  /** The id of the organization, made if need be; it then belongs to the owner of this registry. */
  #organization(name: string): number {
    const there = this.#organizations.byName(nameKey(name))
    if (there) return there.id
    const ownerId = settingsTable(this.#db).get('owner')
    const id = this.#organizations.insert({ name, nameKey: nameKey(name), ownerId, now: firstDay })
    if (ownerId !== null) memberTable(this.#db).set(id, ownerId, 'admin')
    return id
  }

  #freeName(taken: Map<string, number>, organizationId: number, wanted: string): string {
    const key = `${organizationId}/${wanted}`
    for (let n = (taken.get(key) ?? 0) + 1; ; n++) {
      const name = n === 1 ? wanted : `${wanted}-${n}`
      if (this.#rows.isTaken(organizationId, name)) continue
      taken.set(key, n)
      return name
    }
  }
}

function organizationNames(boxes: number): string[] {
  const { first, second } = data.organizationNames
  const all = second.flatMap((end) => first.map((start) => `${start}${end}`))
  return all.slice(0, Math.max(3, Math.ceil(boxes / 50)))
}

function demoBox(random: Random, organization: string, freeName: (wanted: string) => string): WholeBox {
  const system = random.early(data.systems)
  const release = random.early(system.releases)
  const purpose = random.of(data.purposes)
  const variant = random.of(data.variants)
  const name = freeName(
    random.of([
      `${system.name}-${release}`,
      `${system.name}${release}-${purpose}`,
      `${purpose}-${variant}`,
      `${system.name}-${release}-${purpose}`,
      `${system.name}-${purpose}-${variant}`
    ])
  )
  const sentence = random.of(data.sentences).replace('{purpose}', purpose).replace('{variant}', variant)
  const createdAt = Math.floor(random.between(firstDay, lastDay - 30 * day))
  const versions = demoVersions(random, createdAt, `https://downloads.example/${organization}/${name}`)
  const description = `# ${system.title} ${release}\n\nA box with **${purpose}**.\n\n- user: \`vagrant\`\n- updated regularly\n`
  return {
    name,
    shortDescription: random.chance(0.9) ? `${system.title} ${release}, ${sentence}` : '',
    description,
    descriptionHtml: rendered(description),
    private: random.chance(0.08),
    // Most are hardly ever fetched, a few by everybody.
    downloads: random.chance(0.4) ? 0 : Math.floor(10 ** (7 * random.next() ** 3)),
    createdAt,
    updatedAt: Math.max(createdAt, ...versions.map((version) => version.createdAt)),
    versions,
    currentVersion: currentOf(versions)
  }
}

/** By ascending number. */
function demoVersions(random: Random, start: number, address: string): WholeVersion[] {
  const count = random.chance(0.03) ? 0 : 1 + Math.floor(4 * random.next() ** 2)
  const byDate = random.chance(0.3)
  const kinds = data.providers.filter(([, share]) => random.chance(share)).map(([provider]) => provider)
  if (kinds.length === 0) kinds.push('virtualbox')
  const usual = random.chance(0.9) ? 'amd64' : 'unknown'
  const others = data.otherArchitectures.filter(([, share]) => random.chance(share)).map(([other]) => other)
  const versions: WholeVersion[] = []
  let at = start
  let [major, minor] = [random.chance(0.5) ? 1 : 0, Math.floor(random.between(0, 5))]
  for (let n = 0; n < count; n++) {
    const newest = n === count - 1
    const prerelease = !byDate && random.chance(0.08) ? `-${random.of(['rc', 'beta'])}${n + 1}` : ''
    const date = new Date(at).toISOString().slice(0, 10).replaceAll('-', '')
    const number = byDate
      ? `${date}.${n}.0`
      : `${major}.${minor}.${Math.floor(random.between(0, 9))}${prerelease}`
    const description = random.of(data.notes)
    versions.push({
      number,
      status: newest && random.chance(0.12) ? 'unreleased' : random.chance(0.05) ? 'revoked' : 'active',
      description,
      descriptionHtml: rendered(description),
      createdAt: at,
      // The first version came before there was more than one architecture.
      images: demoImages(kinds, n === 0 && count > 2 ? [usual] : [usual, ...others], `${address}/${number}`)
    })
    at = Math.floor(random.between(at, lastDay))
    if (random.chance(0.15)) [major, minor] = [major + 1, 0]
    else minor += 1
  }
  return versions
}

function demoImages(
  kinds: readonly string[],
  architectures: readonly string[],
  address: string
): WholeImage[] {
  return kinds.flatMap((provider) =>
    architectures.map((architecture, n) => ({
      provider,
      architecture,
      isDefault: n === 0,
      url: `${address}/${provider}-${architecture}.box`
    }))
  )
}

/** The highest released stable one, else the highest released prerelease: they ascend. */
function currentOf(versions: readonly WholeVersion[]): number | null {
  const released = versions.map(({ status, number }, place) => ({
    active: status === 'active',
    number,
    place
  }))
  const active = released.filter((version) => version.active)
  return (active.findLast(({ number }) => !isPrerelease(number)) ?? active.at(-1))?.place ?? null
}

/** The same few hundred texts come again and again. */
const rendered = (() => {
  const known = new Map<string, string>()
  return (text: string): string => {
    let html = known.get(text)
    if (html === undefined) known.set(text, (html = renderMarkdown(text)))
    return html
  }
})()
