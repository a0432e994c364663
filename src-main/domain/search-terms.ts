import { queryWords, shortestPart, wordBeginnings, type Searchable } from './search-words.ts'

/**
 * Terms: short strings each listing has a set of, so that a query becomes unions and intersections of sets of boxes.
 * They may let through too much, never too little; `matches` in search-words.ts has the last word.
 */

/** Everything about a box that a search can ask for. */
export interface ListingFacts extends Searchable {
  readonly organizationId: number
  readonly private: boolean
  /** Whether it has an active version; the registry's search finds no others. */
  readonly released: boolean
  /** Whether it has a version nobody was given yet. */
  readonly unreleased: boolean
  /** Where the bytes of its images are: some of them here, none of them, or there is no image. */
  readonly bytes: 'here' | 'elsewhere' | 'nowhere'
  /** Whether it is kept as a remote has it. */
  readonly mirrored: boolean
  /** Whether the bytes of some of its images are at the remote alone. */
  readonly hasRemoteImages: boolean
  /** Provider and architecture of each image in its active versions. */
  readonly images: readonly ImageKind[]
  /** Those that only other versions have. */
  readonly otherImages: readonly ImageKind[]
}

export type ImageKind = readonly [provider: string, architecture: string]

/** What a listing must be like: its text, and one image. */
export interface Wanted {
  readonly q: string
  readonly provider: string | null
  readonly architecture: string | null
  readonly origin?: Origin
}

/** Whose a box is; of mirrored ones also those with images that only the remote has. */
export type Origin = 'any' | 'own' | 'mirrored' | 'at-remote'

/** What the library can ask for besides: there every box can be found, and an image may be of any version. */
export interface WantedInLibrary extends Wanted {
  readonly organizationId: number | null
  readonly visibility: 'any' | 'public' | 'private'
  readonly state: 'any' | 'unreleased' | 'here' | 'elsewhere'
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

/** Who may find a listing in the registry: everybody, or the members of its organization. Without a release, nobody. */
export const publicTerm = '+'
export const privateTerm = (organizationId: number): string => `-${organizationId}`

const terms = {
  /** Each listing has exactly one of these four. */
  releasedPublic: publicTerm,
  releasedPrivate: '-',
  otherPublic: '?+',
  otherPrivate: '?-',
  organization: (organizationId: number) => `o${organizationId}`,
  unreleased: 'u',
  here: 'h',
  elsewhere: 'e',
  /** Each listing has exactly one of these two. */
  own: 'w',
  mirrored: 'm',
  'at-remote': 'k',
  provider: (provider: string) => `p${provider}`,
  architecture: (architecture: string) => `a${architecture}`,
  image: (provider: string, architecture: string) => `i${provider}\n${architecture}`,
  otherProvider: (provider: string) => `P${provider}`,
  otherArchitecture: (architecture: string) => `A${architecture}`,
  otherImage: (provider: string, architecture: string) => `I${provider}\n${architecture}`,
  beginning: (text: string) => `b${text}`,
  part: (text: string) => `t${text}`
}

/** How much of a word's beginning has a term of its own. Longer words are looked up by the next shorter one. */
const beginningLengths = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 16, 24, 32]

/** More terms than these make a plan no sharper, only slower: the rest is left to the final check. */
const mostPartsOfAWord = 6
const mostWords = 16

export function termsOf(listing: ListingFacts): Set<string> {
  const { tag, description, organizationId, released } = listing
  const found = new Set<string>([terms.organization(organizationId)])
  if (listing.private) found.add(released ? terms.releasedPrivate : terms.otherPrivate)
  else found.add(released ? terms.releasedPublic : terms.otherPublic)
  if (listing.private && released) found.add(privateTerm(organizationId))
  if (listing.unreleased) found.add(terms.unreleased)
  if (listing.bytes !== 'nowhere') found.add(listing.bytes === 'here' ? terms.here : terms.elsewhere)
  found.add(listing.mirrored ? terms.mirrored : terms.own)
  if (listing.hasRemoteImages) found.add(terms['at-remote'])
  for (const [provider, architecture] of listing.images) {
    found.add(terms.provider(provider))
    found.add(terms.architecture(architecture))
    found.add(terms.image(provider, architecture))
  }
  for (const [provider, architecture] of listing.otherImages) {
    found.add(terms.otherProvider(provider))
    found.add(terms.otherArchitecture(architecture))
    found.add(terms.otherImage(provider, architecture))
  }
  for (let i = 0; i + shortestPart <= tag.length; i++) found.add(terms.part(tag.slice(i, i + shortestPart)))
  for (const word of [...wordsIn(tag), ...wordsIn(description)])
    for (const length of beginningLengths)
      if (isCut(word, length)) found.add(terms.beginning(word.slice(0, length)))
  return found
}

/** What the registry's search looks for: boxes with a release, by the images of their active versions. */
export const searchPlan = (wanted: Wanted): SearchPlan =>
  planFor(wanted.q, [
    anyOf(terms.releasedPublic, terms.releasedPrivate),
    ...originConditions(wanted),
    ...imageConditions(wanted, (of) => anyOf(of))
  ])

/** What the library looks for. */
export function libraryPlan(wanted: WantedInLibrary): SearchPlan {
  const { organizationId, visibility, state } = wanted
  const conditions = imageConditions(wanted, (active, other) => anyOf(active, other))
  conditions.push(...originConditions(wanted))
  if (organizationId !== null) conditions.push(anyOf(terms.organization(organizationId)))
  if (visibility === 'public') conditions.push(anyOf(terms.releasedPublic, terms.otherPublic))
  if (visibility === 'private') conditions.push(anyOf(terms.releasedPrivate, terms.otherPrivate))
  if (state !== 'any') conditions.push(anyOf(terms[state]))
  return planFor(wanted.q, conditions)
}

function planFor(q: string, others: readonly Condition[]): SearchPlan {
  const words = queryWords(q).sort((a, b) => b.length - a.length)
  const conditions = [...words.slice(0, mostWords).map(wordCondition), ...others]
  return { conditions, words, complete: words.length <= mostWords }
}

const anyOf = (...terms: readonly string[]): Condition =>
  terms.map((term) => ({ terms: [term], exact: true }))

const originConditions = ({ origin = 'any' }: Wanted): Condition[] =>
  origin === 'any' ? [] : [anyOf(terms[origin])]

/** Provider and architecture are those of one image. */
function imageConditions(
  { provider, architecture }: Wanted,
  condition: (active: string, other: string) => Condition
): Condition[] {
  if (provider !== null && architecture !== null)
    return [condition(terms.image(provider, architecture), terms.otherImage(provider, architecture))]
  if (provider !== null) return [condition(terms.provider(provider), terms.otherProvider(provider))]
  if (architecture !== null)
    return [condition(terms.architecture(architecture), terms.otherArchitecture(architecture))]
  return []
}

/** The kinds of terms that name a provider or an architecture, for listing those that exist. */
export const providerTermKinds = ['p', 'P'] as const
export const architectureTermKinds = ['a', 'A'] as const

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
