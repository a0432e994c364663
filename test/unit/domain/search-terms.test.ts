import { describe, expect, it } from 'vitest'
import { searchPlan, termsOf, type ListingFacts } from '../../../src-main/domain/search-terms.ts'

const listing = (facts: Partial<ListingFacts>): ListingFacts => ({
  organizationId: 1,
  private: false,
  released: true,
  unreleased: false,
  bytes: 'elsewhere',
  mirrored: false,
  hasRemoteImages: false,
  tag: 'acme/base',
  description: '',
  images: [],
  otherImages: [],
  ...facts
})
const wanted = { q: '', provider: null, architecture: null }

/** Whether a listing passes the plan's conditions, and whether that is proof. */
function outcome(q: string, facts: ListingFacts): 'no' | 'perhaps' | 'yes' {
  const { conditions, complete } = searchPlan({ ...wanted, q })
  const has = termsOf(facts)
  const ways = conditions.map((condition) =>
    condition.filter(({ terms }) => terms.every((term) => has.has(term)))
  )
  if (ways.some((met) => met.length === 0)) return 'no'
  return complete && ways.every((met) => met.some((way) => way.exact)) ? 'yes' : 'perhaps'
}

describe('the plan of a search', () => {
  it.each([
    ['ba', 'yes'],
    ['base', 'yes'],
    ['ase', 'yes'],
    ['asebas', 'no'],
    ['acme/base', 'yes'],
    ['cme/base', 'perhaps'],
    ['kubernetes', 'yes'],
    ['kubernetes-cluster', 'perhaps'],
    ['kubernetes-club', 'no'],
    ['zzz', 'no']
  ])('says of %j: %s', (q, expected) => {
    expect(outcome(q, listing({ description: 'A kubernetes-cluster' }))).toBe(expected)
  })

  it('takes a provider and an architecture as those of one image', () => {
    const { conditions } = searchPlan({ ...wanted, provider: 'libvirt', architecture: 'arm64' })
    const has = (images: [string, string][]) => {
      const terms = termsOf(listing({ images }))
      return conditions.every((condition) =>
        condition.some((way) => way.terms.every((term) => terms.has(term)))
      )
    }
    expect(has([['libvirt', 'arm64']])).toBe(true)
    expect(has([['libvirt', 'amd64'], ['virtualbox', 'arm64']])).toBe(false) // prettier-ignore
  })

  it('stays small however long the query, and then vouches for nothing', () => {
    const words = Array.from({ length: 500 }, (_, n) => `${n}${'x'.repeat(100)}${n}`)
    const { conditions, complete, words: all } = searchPlan({ ...wanted, q: words.join(' ') })
    expect(conditions.flatMap((condition) => condition.flatMap((way) => way.terms)).length).toBeLessThan(200)
    expect(complete).toBe(false)
    expect(all).toHaveLength(500)
  })

  it('keeps the terms of a listing in proportion to its text', () => {
    const longest = listing({
      tag: `${'o'.repeat(128)}/${'n-'.repeat(64)}`,
      description: '\u{10400}-'.repeat(85)
    })
    expect(termsOf(longest).size).toBeLessThan(3000)
  })
})
