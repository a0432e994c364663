import { describe, expect, it } from 'vitest'
import { listingSearch, type ListingRequest } from '../../../src-main/store/listing-search.ts'
import { listingTable } from '../../../src-main/store/listings.ts'
import { openCatalogue } from '../../../src-main/store/open.ts'
import { smallCatalogue, type SmallBox, type SmallImage } from '../../support/small-catalogue.ts'
import { tempDir } from '../../support/temp.ts'

const everything: ListingRequest = {
  ...{ q: '', provider: null, architecture: null, privateIn: 'all' },
  ...{ sort: 'downloads', order: 'desc', limit: 100, offset: 0 }
}
const active = (...images: SmallImage[]) => ({ status: 'active' as const, images })

function setUp() {
  const db = openCatalogue(tempDir())
  const catalogue = smallCatalogue(db)
  const table = listingTable(db, 4)
  const search = listingSearch(db)
  const put = db.transaction((box: Partial<SmallBox> & { id: number }): void => {
    catalogue.put({
      ...{ organization: 'acme', name: `box-${box.id}`, shortDescription: '', private: false },
      ...{ downloads: 0, createdAt: 1, updatedAt: 1, versions: [active(['virtualbox', 'amd64'])] },
      ...box
    })
    table.refresh(box.id)
  })
  const contents = (name: string) => db.prepare(`SELECT * FROM ${name}`).all()
  return {
    db,
    catalogue,
    table,
    put,
    contents,
    find: (wanted: Partial<ListingRequest>) => search({ ...everything, ...wanted })
  }
}

describe('what search knows', () => {
  it('follows a change of nothing but the images', () => {
    const { put, find } = setUp()
    put({ id: 1, versions: [active(['virtualbox', 'amd64'])] })
    put({ id: 1, versions: [active(['virtualbox', 'arm64'], ['libvirt', 'amd64'])] })
    expect(find({ provider: 'virtualbox', architecture: 'amd64' })).toEqual([])
    expect(find({ provider: 'virtualbox', architecture: 'arm64' })).toEqual([1])
    expect(find({ provider: 'libvirt' })).toEqual([1])
    expect(find({ architecture: 'arm64' })).toEqual([1])
  })

  it('lists a box from its first release until its last one is revoked', () => {
    const { put, find } = setUp()
    put({ id: 1, versions: [{ status: 'unreleased', images: [['virtualbox', 'amd64']] }] })
    expect(find({})).toEqual([])
    put({ id: 1, versions: [active(['virtualbox', 'amd64'])] })
    expect(find({})).toEqual([1])
    put({ id: 1, versions: [{ status: 'revoked', images: [['virtualbox', 'amd64']] }] })
    expect(find({})).toEqual([])
  })

  it('shows private boxes to those who may see them, from the moment they are private', () => {
    const { put, find, catalogue } = setUp()
    const id = catalogue.organizationId('acme')
    put({ id: 1 })
    put({ id: 1, private: true })
    expect(find({ privateIn: [] })).toEqual([])
    expect(find({ privateIn: [id + 1] })).toEqual([])
    expect(find({ privateIn: [id] })).toEqual([1])
  })

  it('leaves the terms alone when a download is counted, and the order too where it stays', () => {
    const { put, find, table, catalogue, contents } = setUp()
    for (let id = 1; id <= 9; id++) put({ id, downloads: id * 10 })
    const [terms, order] = [contents('search_postings'), contents('search_rankings')]
    catalogue.downloads(5, 51)
    table.countDownload(5)
    expect(contents('search_postings')).toEqual(terms)
    expect(contents('search_rankings')).toEqual(order)
    catalogue.downloads(5, 61)
    table.countDownload(5)
    expect(find({})).toEqual([9, 8, 7, 5, 6, 4, 3, 2, 1])
  })

  it('takes a new name, also one that another box has just given up', () => {
    const { put, find, db } = setUp()
    put({ id: 1, name: 'first' })
    put({ id: 2, name: 'second' })
    db.transaction(() => {
      put({ id: 1, name: 'other' })
      put({ id: 2, name: 'first' })
    })()
    expect(find({ q: 'first' })).toEqual([2])
    expect(find({ q: 'second' })).toEqual([])
    expect(find({ q: 'acme/oth' })).toEqual([1])
  })

  it('is the same whether learnt box by box, in bulk, or anew', () => {
    const { put, table, contents, catalogue, db } = setUp()
    const boxes = Array.from({ length: 60 }, (_, n) => ({
      ...{ id: n + 1, name: `box-${(n * 7) % 60}`, downloads: n % 4, shortDescription: `word${n % 9} -x` },
      private: n % 5 === 0,
      versions: [
        active(['virtualbox', 'amd64', ...(n % 3 === 0 ? [`f${n % 7}`] : [])] as [string, string, string?]),
        { status: n % 2 === 0 ? 'unreleased' : 'revoked', images: [['libvirt', 'arm64']] } as const
      ].slice(n % 4 === 0 ? 1 : 0)
    }))
    // Blocks are cut differently and terms numbered differently, so only what they mean can be compared.
    const knowledge = () => ({
      listings: contents('listings'),
      postings: db
        .prepare(
          `SELECT search_postings.id >> 32, term, boxes FROM search_postings JOIN search_terms ON search_terms.id = search_postings.id & 0xffffffff
           ORDER BY 1, 2`
        )
        .raw()
        .all(),
      rankings: [0, 1, 2, 3, 4, 5, 6, 7, 8].map((ranking) =>
        Buffer.concat(
          db
            .prepare('SELECT boxes FROM search_rankings WHERE ranking = ? ORDER BY value, tag_key')
            .pluck()
            .all(ranking) as Buffer[]
        ).toString('hex')
      )
    })
    db.exec('BEGIN') // one sync to the disk
    for (const box of boxes) put(box)
    const oneByOne = knowledge()
    table.rebuildAll()
    expect(knowledge()).toEqual(oneByOne)

    for (const { id } of boxes.slice(10)) table.forget(id)
    table.addNew(boxes.slice(10, 30).map(({ id }) => id))
    catalogue.downloads(3, 2)
    table.countDownload(3)
    table.addNew(boxes.slice(30).map(({ id }) => id))
    catalogue.downloads(3, 2)
    put(boxes[2] as (typeof boxes)[0])
    expect(knowledge()).toEqual(oneByOne)
    db.exec('COMMIT')
  })

  it('refuses that a listed box is deleted behind its back', () => {
    const { put, catalogue, table, find } = setUp()
    put({ id: 1 })
    expect(() => catalogue.remove(1)).toThrow('FOREIGN KEY')
    table.forget(1)
    catalogue.remove(1)
    expect(find({})).toEqual([])
  })

  it('answers queries of more words than it looks up', () => {
    const { put, find } = setUp()
    const words = Array.from({ length: 40 }, (_, n) => `w${n}`)
    put({ id: 1, shortDescription: words.join(' ') })
    put({ id: 2, shortDescription: words.slice(0, -1).join(' ') })
    expect(find({ q: words.join(' ') })).toEqual([1])
    expect(find({ q: words.slice(0, -1).join(' ') })).toEqual([1, 2])
  })

  it('does not take the pieces of a word for the word', () => {
    const { put, find } = setUp()
    put({ id: 1, name: 'anana-banana' })
    expect(find({ q: 'nananan' })).toEqual([])
    expect(find({ q: 'anana-ban' })).toEqual([1])
    expect(find({ q: 'nana-ba' })).toEqual([1])
  })

  it('gives every box once over all pages, in each order, however many are tied', () => {
    const { put, find } = setUp()
    for (let id = 1; id <= 57; id++)
      put({ id, name: `b${(id * 31) % 57}`, downloads: id % 3, private: id % 2 === 0 })
    for (const sort of ['downloads', 'created', 'updated'] as const)
      for (const order of ['asc', 'desc'] as const) {
        const whole = find({ sort, order, q: 'b' })
        const pages = Array.from({ length: 13 }, (_, page) =>
          find({ sort, order, q: 'b', limit: 5, offset: page * 5 })
        )
        expect(pages.flat()).toEqual(whole)
        expect(new Set(whole).size).toBe(57)
        expect(pages.at(-1)).toEqual([])
      }
  })
})
