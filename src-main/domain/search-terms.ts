import { queryWords, shortestPart, wordBeginnings, type Searchable } from './search-words.ts'

/**
 * Terms: short strings each listing has a set of, so that a query becomes unions and intersections of sets of boxes.
 * They may let through too much, never too little; `matches` in search-words.ts has the last word.
 */

/** Everything about a box that a search can ask for. */
export interface ListingFacts extends Searchable {
  readonly organizationId: number
  readonly private: boolean
  /** Provider and architecture of each image in its active versions. */
  readonly images: readonly (readonly [provider: string, architecture: string])[]
}

/** What a listing must be like: its text, and one image. */
export interface Wanted {
  readonly q: string
  readonly provider: string | null
  readonly architecture: string | null
}

/** One way to meet a condition: to have all of these terms. */
export interface Alternative {
  readonly terms: readonly string[]
  /** Whether having them is proof enough; else what they let through has to be checked against the words. */
  readonly exact: boolean
}

/** A listing meets it in any of these ways. */
export type Condition = readonly Alternative[]

export interface SearchPlan {
  /** All have to be met. */
  readonly conditions: readonly Condition[]
  /** The folded words to check against. */
  readonly words: readonly string[]
  /** Whether the conditions stand for everything that is wanted. If not, everything has to be checked. */
  readonly complete: boolean
}

/** Who may see a listing: everybody, or the members of its organization. */
export const publicTerm = '+'
export const privateTerm = (organizationId: number): string => `-${organizationId}`

const terms = {
  provider: (provider: string) => `p${provider}`,
  architecture: (architecture: string) => `a${architecture}`,
  image: (provider: string, architecture: string) => `i${provider}\n${architecture}`,
  beginning: (text: string) => `b${text}`,
  part: (text: string) => `t${text}`
}

/** How much of a word's beginning has a term of its own. Longer words are looked up by the next shorter one. */
const beginningLengths = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 16, 24, 32]

/** More terms than these make a plan no sharper, only slower: the rest is left to the final check. */
const mostPartsOfAWord = 6
const mostWords = 16

export function termsOf(listing: ListingFacts): Set<string> {
  const found = new Set<string>([listing.private ? privateTerm(listing.organizationId) : publicTerm])
  for (const [provider, architecture] of listing.images) {
    found.add(terms.provider(provider))
    found.add(terms.architecture(architecture))
    found.add(terms.image(provider, architecture))
  }
  const { tag, description } = listing
  for (let i = 0; i + shortestPart <= tag.length; i++) found.add(terms.part(tag.slice(i, i + shortestPart)))
  for (const word of [...wordsIn(tag), ...wordsIn(description)])
    for (const length of beginningLengths)
      if (isCut(word, length)) found.add(terms.beginning(word.slice(0, length)))
  return found
}

export function searchPlan({ q, provider, architecture }: Wanted): SearchPlan {
  const words = queryWords(q).sort((a, b) => b.length - a.length)
  const conditions = words.slice(0, mostWords).map(wordCondition)
  const only = (term: string): Condition => [{ terms: [term], exact: true }]
  if (provider !== null && architecture !== null) conditions.push(only(terms.image(provider, architecture)))
  else if (provider !== null) conditions.push(only(terms.provider(provider)))
  else if (architecture !== null) conditions.push(only(terms.architecture(architecture)))
  return { conditions, words, complete: words.length <= mostWords }
}

/** It begins a word of any of the texts, or is part of the tag. */
function wordCondition(word: string): Condition {
  const exact = beginningLengths.includes(word.length) && isCut(word, word.length)
  // Every place where a word begins inside the query's word begins one in the text as well.
  const beginnings = (exact ? [word] : wordsIn(word)).map(longestBeginning)
  const beginning = { terms: beginnings.map(terms.beginning), exact }
  if (word.length < shortestPart) return [beginning]
  return [beginning, { terms: partTerms(word), exact: word.length === shortestPart }]
}

/** The longest one that has a term. */
function longestBeginning(word: string): string {
  const length = beginningLengths.findLast((candidate) => isCut(word, candidate))
  return word.slice(0, length)
}

/** The first ones do not overlap, so that the set becomes small soon. */
function partTerms(word: string): string[] {
  const last = word.length - shortestPart
  const places = [last]
  for (let shift = 0; shift < shortestPart; shift++)
    for (let i = shift; i < last; i += shortestPart) places.push(i)
  return [...new Set(places.map((i) => terms.part(word.slice(i, i + shortestPart))))].slice(
    0,
    mostPartsOfAWord
  )
}

/** From each beginning on to the next white space. */
const wordsIn = (text: string): string[] =>
  [...text.matchAll(/\S+/gu)].flatMap(([run]) => wordBeginnings(run).map((start) => run.slice(start)))

/** Whether a word is long enough to be cut there, without cutting a character in two. */
function isCut(word: string, length: number): boolean {
  const code = word.charCodeAt(length - 1)
  return length <= word.length && !(code >= 0xd800 && code <= 0xdbff)
}
