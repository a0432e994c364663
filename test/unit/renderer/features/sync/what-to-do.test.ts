import { describe, expect, it } from 'vitest'
import type { RemoteBox, Standing } from '../../../../../src-main/contract/standings.ts'
import { remediesOf, rowsFor } from '../../../../../src-renderer/features/sync/what-to-do.ts'

const row = (standing: Standing, mirrored = false): RemoteBox => ({
  ...{ remoteId: 7, remoteName: 'Lab', organization: 'acme', box: standing },
  ...{ standing, mirrored, differences: [], checkedAt: 0 }
})
const said = (standing: Standing, mirrored = false): string[] =>
  remediesOf(row(standing, mirrored)).map(
    ({ label, request }) => `${label} ${request.direction}${request.withRemovals ? ' removing' : ''}`
  )

describe('what can be done about a box', () => {
  it.each<[Standing, string[]]>([
    ['in-step', []],
    ['ahead', ['Publish… publish']],
    ['behind', ['Pull… pull']],
    ['apart', ['Resolve… publish']],
    ['only-here', ['Publish… publish']],
    ['only-there', ['Pull… pull']],
    ['deleted-here', ['Pull… pull', 'Delete there too… publish removing']],
    ['deleted-there', ['Publish… publish']]
  ])('that is %s', (standing, expected) => expect(said(standing)).toEqual(expected))

  it.each<Standing>(['ahead', 'behind', 'apart', 'only-here', 'deleted-there'])(
    'that is mirrored and %s never goes from here to there',
    (standing) => expect(said(standing, true)).toEqual(['Pull… pull'])
  )
})

it('finds among many those that have something to bring in a direction, and deletes none of them', () => {
  const rows = [row('ahead'), row('behind'), row('apart'), row('deleted-here'), row('in-step')]
  expect(rowsFor(rows, 'publish').map(({ box }) => box)).toEqual(['ahead', 'apart'])
  expect(rowsFor(rows, 'pull').map(({ box }) => box)).toEqual(['behind', 'apart', 'deleted-here'])
})
