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

/** What a listing must be like: its text, one image, and who may see it. */
export interface Wanted {
  readonly q: string
  readonly provider: string | null
  readonly architecture: string | null
  /** The organizations whose private boxes are included. */
  readonly privateIn: readonly number[] | 'all'
}

/** A listing qualifies by having all the terms of any of the alternatives. */
export type Condition = readonly (readonly string[])[]

export interface SearchPlan {
  /** All have to hold. */
  readonly conditions: readonly Condition[]
  /** The folded words that what the conditions let through still has to be checked against. */
  readonly unsure: readonly string[]
}

const terms = {
  public: '+',
  privateIn: (organizationId: number) => `-${organizationId}`,
  provider: (provider: string) => `p${provider}`,
  architecture: (architecture: string) => `a${architecture}`,
  image: (provider: string, architecture: string) => `i${provider}\n${architecture}`,
  /** One or two characters a word of any text begins with. */
  shortBeginning: (text: string) => `w${text}`,
  /** Longer beginnings of the words of the description; those of the tag are among its parts. */
  beginning: (text: string) => `d${text}`,
  part: (text: string) => `t${text}`
}

/** How much of a word's beginning has a term of its own. Longer words are looked up by the next shorter one. */
const beginningLengths = [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 16, 24, 32]

/** More terms than these make a plan no sharper, only slower: the rest is left to the final check. */
const mostPartsOfAWord = 12
const mostWords = 16

export function termsOf(listing: ListingFacts): Set<string> {
  const found = new Set<string>([listing.private ? terms.privateIn(listing.organizationId) : terms.public])
  for (const [provider, architecture] of listing.images) {
    found.add(terms.provider(provider))
    found.add(terms.architecture(architecture))
    found.add(terms.image(provider, architecture))
  }
  const { tag, description } = listing
  for (let i = 0; i + shortestPart <= tag.length; i++) found.add(terms.part(tag.slice(i, i + shortestPart)))
  for (const word of wordsIn(tag)) addShortBeginnings(found, word)
  for (const word of wordsIn(description)) {
    addShortBeginnings(found, word)
    for (const length of beginningLengths)
      if (isCut(word, length)) found.add(terms.beginning(word.slice(0, length)))
  }
  return found
}

export function searchPlan(wanted: Wanted): SearchPlan {
  const conditions: Condition[] = []
  const words = queryWords(wanted.q).sort((a, b) => b.length - a.length)
  for (const word of words.slice(0, mostWords)) conditions.push(wordCondition(word))
  const { provider, architecture, privateIn } = wanted
  if (provider !== null && architecture !== null) conditions.push([[terms.image(provider, architecture)]])
  else if (provider !== null) conditions.push([[terms.provider(provider)]])
  else if (architecture !== null) conditions.push([[terms.architecture(architecture)]])
  if (privateIn !== 'all') conditions.push([[terms.public], ...privateIn.map((id) => [terms.privateIn(id)])])
  return { conditions, unsure: words.filter((word, i) => i >= mostWords || !isExact(word)) }
}

/** Whether the condition made of a word lets through exactly what the word matches. */
const isExact = (word: string): boolean => word.length <= shortestPart && isCut(word, word.length)

function wordCondition(word: string): Condition {
  if (word.length < shortestPart) return [[terms.shortBeginning(word)]]
  return [partTerms(word), wordsIn(word).flatMap(beginningTerm)]
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

/** Every place where a word begins inside a query's word begins one in the text as well. */
function beginningTerm(word: string): string[] {
  const length = beginningLengths.findLast((candidate) => isCut(word, candidate))
  return length === undefined ? [] : [terms.beginning(word.slice(0, length))]
}

/** From each beginning on to the next white space. */
function wordsIn(text: string): string[] {
  return wordBeginnings(text).map((start) => {
    const end = text.slice(start).search(/\s/u)
    return end < 0 ? text.slice(start) : text.slice(start, start + end)
  })
}

function addShortBeginnings(found: Set<string>, word: string): void {
  for (let length = 1; length < shortestPart; length++)
    if (isCut(word, length)) found.add(terms.shortBeginning(word.slice(0, length)))
}

/** Whether a word is long enough to be cut there, without cutting a character in two. */
function isCut(word: string, length: number): boolean {
  const code = word.charCodeAt(length - 1)
  return length <= word.length && !(code >= 0xd800 && code <= 0xdbff)
}
