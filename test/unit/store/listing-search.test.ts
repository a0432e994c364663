import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { listingSearch, type ListingRequest } from '../../../src-main/store/listing-search.ts'
import { listingTable } from '../../../src-main/store/listings.ts'
import { openCatalogue } from '../../../src-main/store/open.ts'
import { hasImage, hasWords, tagOf } from '../../support/plain-search.ts'
import {
  architectures,
  names,
  nasty,
  organizations,
  providers,
  stepOf,
  text
} from '../../support/random-boxes.ts'
import { smallCatalogue, type SmallBox } from '../../support/small-catalogue.ts'
import { tempDir } from '../../support/temp.ts'

/** What the registry's search ought to find. */
function oracle(
  boxes: readonly SmallBox[],
  wanted: ListingRequest,
  privateIn: readonly string[] | 'all'
): number[] {
  const key = (box: SmallBox) =>
    ({ downloads: box.downloads, created: box.createdAt, updated: box.updatedAt })[wanted.sort] *
    (wanted.order === 'asc' ? 1 : -1)
  return boxes
    .filter((box) => {
      const active = box.versions.filter((version) => version.status === 'active')
      return (
        active.length > 0 &&
        (!box.private || privateIn === 'all' || privateIn.includes(box.organization)) &&
        hasWords(box, wanted.q) &&
        ((wanted.provider === null && wanted.architecture === null) || hasImage(active, wanted))
      )
    })
    .sort((a, b) => key(a) - key(b) || (tagOf(a) < tagOf(b) ? -1 : 1))
    .slice(wanted.offset, wanted.offset + wanted.limit)
    .map((box) => box.id)
}

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
