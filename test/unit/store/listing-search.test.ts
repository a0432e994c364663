import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { listingSearch, type ListingRequest } from '../../../src-main/store/listing-search.ts'
import { listingTable } from '../../../src-main/store/listings.ts'
import { openCatalogue } from '../../../src-main/store/open.ts'
import { smallCatalogue, type SmallBox } from '../../support/small-catalogue.ts'
import { tempDir } from '../../support/temp.ts'

/** The rules of search, said once more in the plainest way, over plain boxes. */
function oracle(
  boxes: readonly SmallBox[],
  wanted: ListingRequest,
  privateIn: readonly string[] | 'all'
): number[] {
  const plain = (text: string) => text.normalize('NFC').toUpperCase().toLowerCase().replaceAll('ς', 'σ')
  const beginnings = (text: string): string[] => {
    const found: string[] = []
    for (const chunk of plain(text).split(/\s+/u)) {
      const characters = [...chunk]
      characters.forEach((character, i) => {
        const inWord = (c: string | undefined) => c !== undefined && /[\p{L}\p{N}\p{M}]/u.test(c)
        if (i === 0 || (inWord(character) && !inWord(characters[i - 1])))
          found.push(characters.slice(i).join(''))
      })
    }
    return found
  }
  const wordMatches = (box: SmallBox, word: string): boolean => {
    const tag = plain(`${box.organization}/${box.name}`)
    return (
      ([...word].length >= 3 && tag.includes(word)) ||
      [tag, box.shortDescription].some((text) => beginnings(text).some((start) => start.startsWith(word)))
    )
  }
  const key = (box: SmallBox) =>
    ({ downloads: box.downloads, created: box.createdAt, updated: box.updatedAt })[wanted.sort] *
    (wanted.order === 'asc' ? 1 : -1)
  const tag = (box: SmallBox) => `${box.organization}/${box.name}`.toLowerCase()
  const words = plain(wanted.q)
    .split(/\s+/u)
    .filter((word) => word !== '')
  return boxes
    .filter((box) => {
      const active = box.versions.filter((version) => version.status === 'active')
      return (
        active.length > 0 &&
        (!box.private || privateIn === 'all' || privateIn.includes(box.organization)) &&
        words.every((word) => wordMatches(box, word)) &&
        ((wanted.provider === null && wanted.architecture === null) ||
          active.some((version) =>
            version.images.some(
              ([provider, architecture]) =>
                (wanted.provider === null || wanted.provider === provider) &&
                (wanted.architecture === null || wanted.architecture === architecture)
            )
          ))
      )
    })
    .sort((a, b) => key(a) - key(b) || (tag(a) < tag(b) ? -1 : 1))
    .slice(wanted.offset, wanted.offset + wanted.limit)
    .map((box) => box.id)
}

const organizations = ['acme', 'Acme-2', 'b', 'zeta.Labs', '0x']
const names = [
  'ubuntu-22.04',
  'Ubuntu',
  'ubu',
  'debian_12',
  'a',
  'ab',
  'abc',
  'OR',
  'x--y',
  'aaaa',
  'aaa',
  'web.node',
  'b-ubuntu',
  'n'.repeat(40),
  'anana-banana'
]
const nasty = [
  'a',
  'ab',
  'abc',
  'ubuntu',
  'UBU',
  '22.04',
  '-22',
  'bun',
  'e/u',
  'acme/ubuntu',
  'acme/',
  'a/',
  '/',
  '//',
  'b/',
  '"',
  '*',
  '-',
  '--',
  '%',
  '_',
  'OR',
  'NEAR(',
  'NOT',
  "'",
  '\\',
  '(',
  ')',
  '^',
  'äöü',
  'A\u0308',
  'ä',
  'ß',
  'SS',
  'ss',
  'ΟΔΟΣ',
  'οδος',
  'οδοσα',
  '日本語',
  '日本',
  '本',
  '😀',
  '😀a',
  'a😀b',
  'ab😀',
  'x😀😀y',
  '\ud83d',
  '\u0301',
  'İ',
  'i',
  'foo-bar',
  'bar',
  '-foo',
  '"foo',
  'node.js',
  'js',
  '\0',
  'internationalization',
  'internationalizatiom',
  'internationalizations',
  'n'.repeat(39),
  'n'.repeat(41),
  'aaaaa',
  'nananan',
  'banana-ban',
  'nn',
  '😀'.repeat(20),
  '\u001f',
  '\u00a0',
  '\u3000',
  'c++',
  'c+',
  '+'
]

const strange = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 5 }),
  fc.string({ unit: fc.constantFrom('a', 'b', 'u', '-', '/', '2', ' '), maxLength: 6 })
)
/** Made of few words, so that queries and descriptions often have some in common. */
const text = (words: readonly string[], maxLength: number) =>
  fc
    .tuple(
      fc.array(
        fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...words) }, { weight: 1, arbitrary: strange }),
        {
          maxLength
        }
      ),
      fc.constantFrom(' ', ' ', ' ', '\n', '-', '\u3000', ', ')
    )
    .map(([parts, space]) => parts.join(space).replaceAll('\ud83d', '').slice(0, 255))
const providers = ['virtualbox', 'libvirt', 'vmware_desktop']
const architectures = ['amd64', 'arm64', 'unknown']
const image = fc.tuple(fc.constantFrom(...providers), fc.constantFrom(...architectures))
const version = fc.record({
  status: fc.constantFrom('active', 'active', 'active', 'unreleased', 'revoked'),
  images: fc.uniqueArray(image, { maxLength: 3, selector: (pair) => pair.join() })
}) as fc.Arbitrary<SmallBox['versions'][number]>

/** Ids on both sides of where a chunk of the index ends. */
const ids = [1, 2, 3, 31, 32, 33, 65_534, 65_535, 65_536, 65_537, 131_071, 131_072, 300_000]
const boxOf = (words: readonly string[]): fc.Arbitrary<SmallBox> =>
  fc.record({
    id: fc.constantFrom(...ids),
    organization: fc.constantFrom(...organizations),
    name: fc.constantFrom(...names),
    shortDescription: text(words, 4),
    private: fc.boolean(),
    downloads: fc.constantFrom(0, 0, 0, 1, 2, 1_000_000_000_000),
    createdAt: fc.constantFrom(1, 2, 3, 1_700_000_000_000),
    updatedAt: fc.nat(3),
    versions: fc.array(version, { minLength: 1, maxLength: 2 })
  })
const stepOf = (words: readonly string[]) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant('put' as const), box: boxOf(words) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), id: fc.constantFrom(...ids) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('download' as const), id: fc.constantFrom(...ids) }) }
  )
const privateIn = fc.oneof(fc.constant('all' as const), fc.uniqueArray(fc.constantFrom(...organizations)))
const queryOf = (words: readonly string[]) =>
  fc.record({
    q: fc.oneof({ weight: 1, arbitrary: fc.constant('') }, { weight: 4, arbitrary: text(words, 2) }),
    provider: fc.constantFrom(null, null, ...providers, 'virtual', ''),
    architecture: fc.constantFrom(null, null, ...architectures),
    sort: fc.constantFrom('downloads' as const, 'created' as const, 'updated' as const),
    order: fc.constantFrom('asc' as const, 'desc' as const),
    limit: fc.integer({ min: 1, max: 5 }),
    offset: fc.nat(6),
    privateIn
  })

const run = fc
  .uniqueArray(fc.constantFrom(...nasty, ...names, ...organizations), { minLength: 1, maxLength: 6 })
  .chain((words) =>
    fc.record({
      steps: fc.array(stepOf(words), { maxLength: 30, size: 'max' }),
      queries: fc.array(queryOf(words), { minLength: 1, maxLength: 20, size: 'max' }),
      rebuilt: fc.boolean()
    })
  )

describe('search over the listings', () => {
  it('finds exactly what the rules say, after any changes, by every way of finding it', () => {
    const db = openCatalogue(tempDir())
    const catalogue = smallCatalogue(db)
    const table = listingTable(db, 3)
    // One way sorts what it found, one goes through everybody in order; usually their number decides.
    const searches = [
      { passedWhileSortingOne: 0, fewOrganizations: 100 },
      { passedWhileSortingOne: Infinity, fewOrganizations: 100 },
      { passedWhileSortingOne: 20_000, fewOrganizations: 0 }
    ].map((tuning) => listingSearch(db, tuning))

    fc.assert(
      fc.property(run, ({ steps, queries, rebuilt }) => {
        db.exec('BEGIN') // one sync to the disk a run
        const kept = new Map<number, SmallBox>()
        const check = (): void => {
          for (const { privateIn, ...wanted } of queries) {
            const ids = privateIn === 'all' ? privateIn : privateIn.map(catalogue.organizationId)
            const request = { ...wanted, privateIn: ids }
            const expected = oracle([...kept.values()], request, privateIn)
            for (const search of searches) expect(search(request)).toEqual(expected)
          }
        }
        for (const change of steps) {
          if (change.do === 'put') {
            const { organization, name } = change.box
            const taken = [...kept.values()].some(
              (other) =>
                other.id !== change.box.id &&
                other.organization === organization &&
                other.name.toLowerCase() === name.toLowerCase()
            )
            if (taken) continue
            catalogue.put(change.box)
            kept.set(change.box.id, change.box)
            table.refresh(change.box.id)
          } else if (change.do === 'remove') {
            table.forget(change.id)
            catalogue.remove(change.id)
            kept.delete(change.id)
          } else {
            const box = kept.get(change.id)
            if (!box) continue
            kept.set(box.id, { ...box, downloads: box.downloads + 1 })
            catalogue.downloads(box.id, box.downloads + 1)
            table.countDownload(box.id)
          }
        }
        if (rebuilt) table.rebuildAll()
        check()
        for (const id of kept.keys()) {
          table.forget(id)
          catalogue.remove(id)
        }
        for (const name of ['listings', 'search_postings', 'search_rankings'])
          expect(db.prepare(`SELECT count(*) FROM ${name}`).pluck().get(), name).toBe(0)
        db.exec('COMMIT')
      }),
      { numRuns: Number(process.env['SEARCH_RUNS'] ?? 200) }
    )
    db.close()
  }, 600_000)
})
