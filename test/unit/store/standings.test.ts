import { expect, it, onTestFinished } from 'vitest'
import type { Standing } from '../../../src-main/contract/standings.ts'
import { openCatalogue } from '../../../src-main/store/open.ts'
import { remoteBoxViews } from '../../../src-main/store/remote-box-views.ts'
import { remoteBoxTable } from '../../../src-main/store/remote-boxes.ts'
import { standingTable } from '../../../src-main/store/standings.ts'
import { tempDir } from '../../support/temp.ts'

function catalogue() {
  const db = openCatalogue(tempDir())
  onTestFinished(() => void db.close())
  db.exec(`INSERT INTO remotes (id, name, name_key, kind, location, identity, created_at)
    VALUES (1, 'Lab', 'lab', 'http', 'https://lab.example', 'lab', 0), (2, 'Usb', 'usb', 'folder', '/usb', 'usb', 0)`)
  const standings = standingTable(db)
  const put = (tag: string, standing: Standing, { agreed = false, remoteId = 1 } = {}): void => {
    const [organization = '', name = ''] = tag.split('/')
    const stamps = { remoteStamp: null, localStamp: null, checkedAt: 0 }
    standings.put({ organization, name, standing, differences: [], ...stamps }, remoteId)
    if (agreed) remoteBoxTable(db).putBase(remoteId, { organization, name }, { versions: [] }, 0)
  }
  return { db, standings, put }
}

it('knows of which organizations boxes were agreed on with a remote, however their names begin', () => {
  const { standings, put } = catalogue()
  expect(standings.agreedOrganizations(1)).toEqual([])
  put('acme-labs/base', 'in-step', { agreed: true })
  put('Acme/a', 'only-there')
  put('Acme/b', 'in-step', { agreed: true })
  put('acme.old/base', 'only-there')
  put('acme0/base', 'ahead', { agreed: true })
  put('zoo/base', 'in-step', { agreed: true, remoteId: 2 })
  expect(standings.agreedOrganizations(1)).toEqual(['acme-labs', 'Acme', 'acme0'])
  expect(standings.agreedOrganizations(2)).toEqual(['zoo'])
})

it('shows the boxes that are out of step, by their standings and names, a page at a time', () => {
  const { db, put } = catalogue()
  const all = [
    'ahead',
    'apart',
    'behind',
    'deleted-here',
    'deleted-there',
    'only-here',
    'only-there'
  ] as const
  for (const standing of all) for (const name of ['b', 'a']) put(`acme/${name}-${standing}`, standing)
  put('acme/c', 'in-step')
  put('acme/d', 'ahead', { remoteId: 2 })
  const page = (over: object) => {
    const query = { remoteId: 1, standing: null, q: '', offset: 0, limit: 100, ...over }
    const { total, rows } = remoteBoxViews(db).page(query)
    return [total, rows.map(({ box }) => box)]
  }
  const shown = all.flatMap((standing) => [`a-${standing}`, `b-${standing}`])
  expect(page({})).toEqual([14, shown])
  expect(page({ offset: 3, limit: 2 })).toEqual([14, shown.slice(3, 5)])
  expect(page({ standing: 'in-step' })).toEqual([1, ['c']])
  expect(page({ q: 'DEL acme/b' })).toEqual([2, ['b-deleted-here', 'b-deleted-there']])
})
