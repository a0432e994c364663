import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BoxRow, LibraryQuery } from '../../../src-main/contract/library.ts'
import { libraryReader } from '../../../src-main/store/library-reader.ts'
import { listingSearch, searchReaders } from '../../../src-main/store/listing-search.ts'
import { listingTable } from '../../../src-main/store/listings.ts'
import { openCatalogue } from '../../../src-main/store/open.ts'
import { hasImage, hasWords, tagOf } from '../../support/plain-search.ts'
import {
  architectures,
  files,
  names,
  nasty,
  organizations,
  providers,
  stepOf,
  text
} from '../../support/random-boxes.ts'
import { sizeOf, smallCatalogue, type SmallBox } from '../../support/small-catalogue.ts'
import { tempDir } from '../../support/temp.ts'

const everything: LibraryQuery = {
  ...{ q: '', provider: null, architecture: null, organization: null },
  ...{ visibility: 'any', state: 'any', origin: 'any', sort: 'name', order: 'asc' }
}

/** What the library ought to show of a box. */
function rowOf(box: SmallBox, damaged: ReadonlySet<string>): BoxRow {
  const images = box.versions.flatMap((version) => version.images)
  const here = images.filter(([, , file]) => file !== undefined && !damaged.has(file))
  const kinds = new Map(
    images.map(([provider, architecture]) => [`${provider} ${architecture}`, { provider, architecture }])
  )
  const { id, name, downloads, createdAt, updatedAt } = box
  // As the database keeps half a character.
  const shortDescription = Buffer.from(box.shortDescription).toString()
  return {
    ...{ id, organization: box.organization, name, shortDescription, private: box.private },
    ...{ downloads, createdAt, updatedAt, currentVersion: null, versions: box.versions.length },
    size: [...new Set(here.map(([, , file = '']) => file))].reduce((sum, file) => sum + sizeOf(file), 0),
    hasUnreleased: box.versions.some(({ status }) => status === 'unreleased'),
    images: [...kinds].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, kind]) => kind),
    here: here.length === 0 ? 'none' : here.length === images.length ? 'all' : 'some',
    ...{ mirrored: box.mirrored === true, outOfStep: false }
  }
}

const hasRemoteImages = ({ versions }: SmallBox): boolean =>
  versions.some(({ images }) => images.some(([, , file]) => file === undefined))

/** A version of which only the remote has bytes is none for clients. */
const isOffered = (box: SmallBox, { images }: SmallBox['versions'][number]): boolean =>
  !box.mirrored || images.length === 0 || images.some(([, , file]) => file !== undefined)

/** What the library ought to find. */
function oracle(boxes: readonly SmallBox[], damaged: ReadonlySet<string>, wanted: LibraryQuery): BoxRow[] {
  const key = (row: BoxRow): number =>
    ({
      name: 0,
      ...{ downloads: row.downloads, created: row.createdAt, updated: row.updatedAt, size: row.size }
    })[wanted.sort]
  const sign = wanted.order === 'asc' ? 1 : -1
  return boxes
    .map((box) => ({ box, row: rowOf(box, damaged) }))
    .filter(
      ({ box, row }) =>
        hasWords(box, wanted.q) &&
        ((wanted.provider === null && wanted.architecture === null) || hasImage(box.versions, wanted)) &&
        (wanted.organization === null ||
          wanted.organization.toLowerCase() === box.organization.toLowerCase()) &&
        (wanted.visibility === 'any' || (wanted.visibility === 'private') === box.private) &&
        (wanted.origin === 'any' || (wanted.origin !== 'own') === row.mirrored) &&
        (wanted.origin !== 'at-remote' || hasRemoteImages(box)) &&
        (wanted.state !== 'unreleased' || row.hasUnreleased) &&
        (wanted.state !== 'here' || row.here !== 'none') &&
        (wanted.state !== 'elsewhere' || (row.here === 'none' && row.images.length > 0))
    )
    .sort((a, b) => {
      const byTag = tagOf(a.box) < tagOf(b.box) ? -1 : 1
      return wanted.sort === 'name' ? byTag * sign : (key(a.row) - key(b.row)) * sign || byTag
    })
    .map(({ row }) => row)
}

const queryOf = (words: readonly string[]): fc.Arbitrary<LibraryQuery> =>
  fc.record({
    q: fc.oneof({ weight: 2, arbitrary: fc.constant('') }, { weight: 3, arbitrary: text(words, 2) }),
    provider: fc.constantFrom(null, null, null, ...providers, 'virtual', ''),
    architecture: fc.constantFrom(null, null, null, ...architectures),
    organization: fc.constantFrom(null, null, null, null, null, ...organizations, 'ACME', 'nobody'),
    visibility: fc.constantFrom('any', 'any', 'public', 'private'),
    state: fc.constantFrom('any', 'any', 'unreleased', 'here', 'elsewhere'),
    origin: fc.constantFrom('any', 'any', 'any', 'own', 'mirrored', 'at-remote'),
    sort: fc.constantFrom('name', 'downloads', 'created', 'updated', 'size'),
    order: fc.constantFrom('asc', 'desc')
  })

type Step = ReturnType<typeof stepOf> extends fc.Arbitrary<infer One> ? One : never
const orMirrored = ([step, mirrored]: [Step, boolean]): Step =>
  step.do === 'put' ? { ...step, box: { ...step.box, mirrored } } : step

const run = fc
  .uniqueArray(fc.constantFrom(...nasty, ...names, ...organizations), { minLength: 1, maxLength: 6 })
  .chain((words) => {
    const damage = fc.record({
      do: fc.constant('damage' as const),
      file: fc.constantFrom(...files),
      isDamaged: fc.boolean()
    })
    const step = fc.oneof(
      { weight: 9, arbitrary: fc.tuple(stepOf(words), fc.boolean()).map(orMirrored) },
      { weight: 2, arbitrary: damage },
      { weight: 1, arbitrary: fc.constant({ do: 'check' as const }) }
    )
    return fc.record({
      steps: fc.array(step, { maxLength: 40, size: 'max' }),
      queries: fc.array(queryOf(words), { minLength: 1, maxLength: 20, size: 'max' }),
      rebuilt: fc.boolean()
    })
  })

function setUp() {
  const db = openCatalogue(tempDir())
  const catalogue = smallCatalogue(db)
  const table = listingTable(db)
  const library = libraryReader(db, searchReaders(db))
  const put = db.transaction((box: Partial<SmallBox> & { id: number }): void => {
    catalogue.put({
      ...{ organization: 'acme', name: `box-${box.id}`, shortDescription: '', private: false },
      ...{ downloads: 0, createdAt: 1, updatedAt: 1, versions: [] },
      ...box
    })
    table.refresh(box.id)
  })
  const find = (query: Partial<LibraryQuery>, offset = 0) =>
    library.find({ query: { ...everything, ...query }, offset, limit: 500 })
  return { db, catalogue, table, library, put, find }
}

describe('the library', () => {
  it('finds exactly what the rules say, after any changes, and shows it as it is', () => {
    const db = openCatalogue(tempDir())
    const catalogue = smallCatalogue(db)
    const table = listingTable(db, 3)
    const readers = searchReaders(db)
    const library = libraryReader(db, readers)
    const registry = listingSearch(db, undefined, readers)

    fc.assert(
      fc.property(run, ({ steps, queries, rebuilt }) => {
        if (db.inTransaction) db.exec('ROLLBACK') // of a run that failed
        db.exec('BEGIN') // one sync to the disk a run
        const kept = new Map<number, SmallBox>()
        const damaged = new Set<string>()
        const damage = (file: string, isDamaged: boolean): void => {
          if (isDamaged) damaged.add(file)
          else damaged.delete(file)
          catalogue.damage(file, isDamaged)
          table.refreshUsersOf(file)
        }
        const check = (): void => {
          for (const query of queries) {
            const expected = oracle([...kept.values()], damaged, query)
            const whole = library.find({ query, offset: 0, limit: 500 })
            expect(whole).toEqual({ total: expected.length, rows: expected })
            expect(library.find({ query, offset: 2, limit: 3 }).rows).toEqual(expected.slice(2, 5))
            const part = expected.slice(1, 4)
            expect(library.range({ query, from: 1, to: 4 })).toEqual({
              ids: part.map(({ id }) => id),
              sizes: part.map(({ size }) => size)
            })
          }
          const released = [...kept.values()].filter((box) =>
            box.versions.some((version) => version.status === 'active' && isOffered(box, version))
          )
          const all = { q: '', provider: null, architecture: null, privateIn: 'all' } as const
          const found = registry({ ...all, sort: 'created', order: 'asc', limit: 100, offset: 0 })
          expect(new Set(found)).toEqual(new Set(released.map(({ id }) => id)))
        }
        for (const change of steps) {
          switch (change.do) {
            case 'put': {
              const taken = [...kept.values()].some(
                (other) => other.id !== change.box.id && tagOf(other) === tagOf(change.box)
              )
              if (taken) break
              catalogue.put(change.box)
              kept.set(change.box.id, change.box)
              table.refresh(change.box.id)
              break
            }
            case 'remove':
              table.forget(change.id)
              catalogue.remove(change.id)
              kept.delete(change.id)
              break
            case 'download': {
              const box = kept.get(change.id)
              if (!box) break
              kept.set(box.id, { ...box, downloads: box.downloads + 1 })
              catalogue.downloads(box.id, box.downloads + 1)
              table.countDownload(box.id)
              break
            }
            case 'damage': {
              const used = [...kept.values()].some(({ versions }) =>
                versions.some(({ images }) => images.some(([, , file]) => file === change.file))
              )
              if (used) damage(change.file, change.isDamaged)
              break
            }
            case 'check':
              check()
          }
        }
        if (rebuilt) table.rebuildAll()
        check()
        for (const file of damaged) damage(file, false)
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

  it('follows a change of nothing but the order', () => {
    const { put, find, catalogue, table } = setUp()
    const file = (name: string) => [{ status: 'active', images: [['libvirt', 'amd64', name]] }] as const
    for (let id = 1; id <= 3; id++) put({ id, downloads: id, updatedAt: id, versions: file(`f${id}`) })
    const order = (sort: LibraryQuery['sort']) => find({ sort, order: 'desc' }).rows.map(({ id }) => id)
    for (const sort of ['downloads', 'updated', 'size'] as const) expect(order(sort)).toEqual([3, 2, 1])
    catalogue.downloads(1, 9)
    table.countDownload(1)
    expect(order('downloads')).toEqual([1, 3, 2])
    put({ id: 2, downloads: 2, updatedAt: 9, versions: file('f2') })
    expect(order('updated')).toEqual([2, 3, 1])
    put({ id: 3, downloads: 3, updatedAt: 3, versions: file('f0') })
    expect(order('size')).toEqual([2, 1, 3])
    expect(find({ sort: 'size', order: 'desc' }).rows.map(({ size }) => size)).toEqual([2, 1, 0])
  })

  it('tells mirrored boxes, and those that are another at some remote', () => {
    const { put, db, table, find } = setUp()
    for (let id = 1; id <= 6; id++) put({ id, name: `box-${id}` })
    const remoteId = db
      .prepare(
        `INSERT INTO remotes (name, name_key, kind, location, identity, created_at)
         VALUES ('Lab', 'lab', 'folder', '/lab', 'one', 0)`
      )
      .run().lastInsertRowid
    db.prepare('INSERT INTO mirrored_boxes (box_id, remote_id) VALUES (2, ?)').run(remoteId)
    table.refresh(2)
    const stands = db.prepare(
      `INSERT INTO remote_boxes (remote_id, tag_key, organization, name, standing, checked_at)
       SELECT ?, tag_key, 'acme', 'box', ?, 0 FROM listings WHERE box_id = ?`
    )
    const standings = ['in-step', 'only-here', 'ahead', 'behind', 'apart', 'deleted-there']
    standings.forEach((standing, at) => stands.run(remoteId, standing, at + 1))
    const { rows } = find({})
    const ids = (field: 'mirrored' | 'outOfStep') => rows.filter((row) => row[field]).map(({ id }) => id)
    expect(ids('mirrored')).toEqual([2])
    expect(ids('outOfStep')).toEqual([3, 4, 5, 6])
  })

  it('gives nothing for a place past the end, and everything for a range that is too long', () => {
    const { put, find, library } = setUp()
    for (let id = 1; id <= 5; id++) put({ id, private: true })
    expect(find({}, 5)).toEqual({ total: 5, rows: [] })
    expect(find({}, 1e15).total).toBe(5)
    expect(library.range({ query: everything, from: 3, to: 1e15 }).ids).toEqual([4, 5])
    expect(library.range({ query: everything, from: 4, to: 2 }).ids).toEqual([])
  })

  it('offers what some box has, of the organizations the largest', () => {
    const { put, db, library, table, catalogue } = setUp()
    const versions = [
      { status: 'active', images: [['libvirt', 'amd64']] },
      { status: 'unreleased', images: [['utm', 'arm64']] }
    ] as const
    put({ id: 1, versions })
    put({ id: 2, versions: versions.slice(0, 1) })
    const facets = { organizations: ['acme'], providers: ['libvirt', 'utm'] }
    expect(library.facets()).toEqual({ ...facets, architectures: ['amd64', 'arm64'] })
    table.forget(1)
    catalogue.remove(1)
    db.transaction(() => {
      for (let n = 0; n < 1000; n++) catalogue.organizationId(`org-${n}`)
    })()
    expect(library.facets()).toEqual({
      ...{ organizations: ['acme'], providers: ['libvirt'], architectures: ['amd64'] }
    })
  })
})
