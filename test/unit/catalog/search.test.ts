import { describe, expect, it, onTestFinished } from 'vitest'
import { Search, type SearchQuery } from '../../../src-main/catalog/search.ts'
import { anonymous, operator } from '../../../src-main/domain/model.ts'
import { listingTable } from '../../../src-main/store/listings.ts'
import { openCatalogue } from '../../../src-main/store/open.ts'
import { smallCatalogue } from '../../support/small-catalogue.ts'
import { tempDir } from '../../support/temp.ts'

const query: SearchQuery = {
  ...{ q: '', provider: null, architecture: null, sort: 'downloads', order: 'desc', limit: 10, page: 1 }
}

function setUp() {
  const dataDir = tempDir()
  const db = openCatalogue(dataDir)
  const catalogue = smallCatalogue(db)
  const table = listingTable(db)
  const search = new Search(dataDir, {
    organizationsOf: (caller) => (caller.kind === 'operator' ? 'all' : [])
  })
  onTestFinished(async () => {
    await search.close()
    db.close()
  })
  const put = (id: number, shortDescription: string, isPrivate = false): void => {
    catalogue.put({
      ...{ id, organization: 'acme', name: `box${id}`, shortDescription, private: isPrivate },
      ...{ downloads: 0, createdAt: id, updatedAt: id },
      versions: [{ status: 'active', images: [['virtualbox', 'amd64']] }]
    })
    table.refresh(id)
  }
  return { search, put }
}

describe('search in its own thread', () => {
  it('sees what another connection has just written', async () => {
    const { search, put } = setUp()
    expect(await search.find(anonymous, query)).toEqual([])
    put(1, 'first')
    expect(await search.find(anonymous, query)).toEqual([1])
    put(1, 'second')
    expect(await search.find(anonymous, { ...query, q: 'first' })).toEqual([])
  })

  it('answers each of many callers with what they may see', async () => {
    const { search, put } = setUp()
    for (let id = 1; id <= 30; id++) put(id, `word${id % 3}`, id % 2 === 0)
    const asked = Array.from({ length: 50 }, (_, n) => ({
      caller: n % 2 === 0 ? operator : anonymous,
      q: `word${n % 3}`
    }))
    const found = await Promise.all(asked.map(({ caller, q }) => search.find(caller, { ...query, q })))
    found.forEach((ids, n) => {
      expect(ids).toHaveLength(n % 2 === 0 ? 10 : 5)
      expect(ids.every((id) => id % 3 === n % 3)).toBe(true)
    })
  })

  it.each([
    [1, [1, 2, 3]],
    [2, [4, 5]],
    [3, []],
    [1_000_000_000_000_000, []]
  ])('gives page %d', async (page, expected) => {
    const { search, put } = setUp()
    for (let id = 1; id <= 5; id++) put(id, '')
    expect(await search.find(anonymous, { ...query, limit: 3, page })).toEqual(expected)
    expect(await search.find(operator, { ...query, limit: 3, page })).toEqual(expected)
  })

  it('goes on after it let go of the database', async () => {
    const { search, put } = setUp()
    put(1, '')
    expect(await search.find(anonymous, query)).toEqual([1])
    const cutOff = search.find(anonymous, query)
    await Promise.all([search.close(), expect(cutOff).rejects.toThrow('the search thread ended')])
    expect(await search.find(anonymous, query)).toEqual([1])
  })

  it('fails the search, and not the process, where there is no catalogue', async () => {
    const search = new Search(tempDir(), { organizationsOf: () => [] })
    await expect(search.find(anonymous, query)).rejects.toThrow()
    await search.close()
  })
})
