import { privateTerm, publicTerm, type Condition } from '../domain/search-terms.ts'
import { andBits, andStored, chunkBits, countBits, noBits, orBits, orStored, type Bits } from './box-set.ts'
import type { PostingReader } from './postings.ts'
import type { Stamps } from './search-stamps.ts'

/** Listings that may be what is wanted. */
export interface Candidates {
  readonly found: Bits
  /** Those of them that certainly are. */
  readonly sure: Bits
  readonly count: number
}

/** A condition in terms of the ids that terms have. */
type Way = { readonly termIds: readonly number[]; readonly exact: boolean }

/** Finds candidates by their terms, chunk by chunk, so that the sets being worked on stay in the processor's cache. */
export function candidateFinder(postings: PostingReader, fewOrganizations: number) {
  let stamps: Stamps = new Map()
  const any = noBits()
  const anySure = noBits()
  const all = noBits()

  /** Ways that need a term no listing has are left out. */
  const waysOf = (condition: Condition): Way[] =>
    condition.flatMap(({ terms, exact }) => {
      const termIds = terms.map((term) => postings.termId(term)).filter((id) => id !== undefined)
      return termIds.length === terms.length ? [{ termIds, exact }] : []
    })

  /** Keeps of one chunk's boxes those that meet a condition; false when none are left. */
  function narrow(found: Bits, sure: Bits, ways: readonly Way[], chunk: number): boolean {
    any.fill(0)
    for (const way of ways) if (way.exact) addHavingAll(any, way.termIds, chunk)
    if (ways.every((way) => way.exact)) {
      andBits(sure, any)
      return andBits(found, any)
    }
    anySure.set(any)
    for (const way of ways) if (!way.exact) addHavingAll(any, way.termIds, chunk)
    andBits(sure, anySure)
    return andBits(found, any)
  }

  function addHavingAll(bits: Bits, [first = 0, ...others]: readonly number[], chunk: number): void {
    const boxes = postings.boxes(stamps, chunk, first)
    if (!boxes) return
    if (others.length === 0) return orStored(bits, boxes)
    all.fill(0)
    orStored(all, boxes)
    for (const term of others) {
      const boxes = postings.boxes(stamps, chunk, term)
      if (!boxes || !andStored(all, boxes)) return
    }
    orBits(bits, all)
  }

  function meeting(ways: readonly (readonly Way[])[], chunks: number): Candidates {
    const candidates = { found: noBits(chunks), sure: noBits(chunks), count: 0 }
    if (ways.some((condition) => condition.length === 0)) return candidates
    for (let chunk = 0; chunk < chunks; chunk++) {
      const found = chunkBits(candidates.found, chunk).fill(everybody)
      const sure = chunkBits(candidates.sure, chunk).fill(everybody)
      if (ways.every((condition) => narrow(found, sure, condition, chunk)))
        candidates.count += countBits(found)
    }
    return candidates
  }

  const openTo = (organizationIds: readonly number[]): Way[] =>
    waysOf([publicTerm, ...organizationIds.map(privateTerm)].map((term) => ({ terms: [term], exact: true })))

  /** Those of the candidates that members of these organizations, or everybody, may see. */
  function openOf(
    { found, sure }: Candidates,
    organizationIds: readonly number[],
    chunks: number
  ): Candidates {
    const open = meeting([openTo(organizationIds)], chunks)
    andBits(open.found, found)
    andBits(open.sure, sure)
    return { ...open, count: countBits(open.found) }
  }

  return {
    /**
     * Listings that meet the conditions and that members of these organizations may see. Private ones stay among
     * the candidates, unsure, when looking at each until the page is full is less work than at all organizations.
     */
    find(
      conditions: readonly Condition[],
      privateIn: readonly number[] | 'all',
      { stamps: current, chunks, pageEnd }: { stamps: Stamps; chunks: number; pageEnd: number }
    ): Candidates {
      stamps = current
      const ways = conditions.map(waysOf)
      if (privateIn === 'all') return meeting(ways, chunks)
      if (privateIn.length <= fewOrganizations) return meeting([...ways, openTo(privateIn)], chunks)
      const candidates = meeting(ways, chunks)
      const open = openOf(candidates, [], chunks)
      const closedCount = candidates.count - open.count
      const mostLooks = open.count < pageEnd ? closedCount : (closedCount * pageEnd) / open.count
      return mostLooks <= privateIn.length * chunks
        ? { ...candidates, sure: open.sure }
        : openOf(candidates, privateIn, chunks)
    }
  }
}

const everybody = -1
