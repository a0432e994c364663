import { describe, expect, it } from 'vitest'
import type { ArrivalDraft } from '../../../../../src-main/contract/arrivals.ts'
import {
  planArrival,
  type PlannedFile,
  type PlanSurroundings
} from '../../../../../src-main/domain/arrival-plan.ts'
import { sortFaults } from '../../../../../src-renderer/features/publish/faults.ts'
import { arrival } from '../arrival.ts'

const all = new Set(Object.keys(arrival().draft) as (keyof ArrivalDraft)[])
const file: PlannedFile = { kind: 'path', origin: '', size: 1, digest: { sha256: 'a', checksums: {} } }
const nothing: PlanSurroundings = { organization: { name: 'acme' }, box: null, version: null }

// The sentences are the product's own, so that a word changed there is noticed here.
const problems = (draft: Partial<ArrivalDraft>, there: Partial<PlanSurroundings> = {}, of = file) =>
  planArrival(of, arrival({ draft }).draft, { ...nothing, ...there }).problems

describe('what is wrong is said at the field it is about', () => {
  it.each([
    { field: 'organization', found: problems({}, { organization: null }) },
    { field: 'organization', found: problems({ organization: '' }, { organization: null }) },
    { field: 'name', found: problems({ name: 'no spaces' }) },
    { field: 'version', found: problems({ version: 'x1' }) },
    { field: 'version', found: problems({ version: '' }) },
    {
      field: 'version',
      found: problems({}, { version: { number: '1.2.0', status: 'revoked', images: [] } })
    },
    {
      field: 'version',
      found: problems({ version: '1.2' }, { version: { number: '1.2.0', status: 'active', images: [] } })
    },
    { field: 'provider', found: problems({ provider: '' }) },
    {
      field: 'provider',
      found: problems({ provider: '' }, {}, { ...file, kind: 'url', origin: 'https://a/b' })
    },
    { field: 'provider', found: problems({ provider: 'no spaces' }) },
    { field: 'architecture', found: problems({ architecture: 'AMD 64' }) },
    { field: 'shortDescription', found: problems({ shortDescription: 'x'.repeat(300) }) },
    { field: 'versionDescription', found: problems({ versionDescription: 'x'.repeat(300_000) }) },
    { field: 'checksum', found: problems({ checksum: 'abc' }) }
  ] as const)('$field: $found', ({ field, found }) => {
    expect(found.length).toBeGreaterThan(0)
    const { fields, others } = sortFaults(found, all)
    expect(Object.keys(fields)).toEqual([field])
    expect(others).toEqual([])
  })

  it('or with the others, where the field is not shown or there is none', () => {
    const found = [...problems({ shortDescription: 'x'.repeat(300) }), 'Something else is wrong.']
    expect(sortFaults(found, new Set())).toEqual({ fields: {}, others: found })
  })

  it('is said whole where there is more than one', () => {
    const two = ['The version a.', 'The version b.']
    expect(sortFaults(two, all).fields.version).toBe('The version a. The version b.')
  })
})
