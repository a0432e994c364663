/** The rule of search: which boxes the words of a query find. */

/** What of a box the words of a query are held against, both in folded form. */
export interface Searchable {
  /** organization/name */
  readonly tag: string
  readonly description: string
}

/** From this length on a word may also stand in the middle of an organization or name. */
export const shortestPart = 3

/** Texts that differ only in case, or in how their accents are encoded, have the same folded form. */
export const fold = (text: string): string =>
  text
    .replaceAll(loneSurrogates, '\ufffd')
    .normalize('NFC')
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ') // lower-casing writes a sigma differently at the end of a word
    .normalize('NFC')

const loneSurrogates = /\p{Surrogate}/gu
const wordCharacter = /[\p{L}\p{N}\p{M}]/u
const whiteSpace = /\s/u

/** The words of a query: whatever white space separates, each once. No character means anything but itself. */
export const queryWords = (q: string): string[] =>
  [...new Set(fold(q).split(/\s+/u))].filter((word) => word !== '')

/** More than anybody types; each word costs something for every box it might be in. */
const mostWords = 64
const longestQuery = 1000

/** Says why words cannot be searched for, or nothing. */
export const queryFault = (q: string): string | null =>
  q.length > longestQuery || queryWords(q).length > mostWords
    ? `A search may have ${longestQuery} characters and ${mostWords} different words at most; use fewer.`
    : null

/** Every word has to match; in which of the texts does not matter. */
export const matches = (box: Searchable, words: readonly string[]): boolean =>
  words.every(
    (word) =>
      (word.length >= shortestPart && box.tag.includes(word)) ||
      beginsWord(box.tag, word) ||
      beginsWord(box.description, word)
  )

/**
 * Where the words of a text begin: after white space, and wherever a letter or digit follows something else,
 * so that "22.04" in "ubuntu-22.04" can be found by "22.04" and by "04".
 */
export function wordBeginnings(text: string): number[] {
  const beginnings: number[] = []
  for (let i = 0; i < text.length; i++) if (isBeginning(text, i)) beginnings.push(i)
  return beginnings
}

function beginsWord(text: string, word: string): boolean {
  for (let i = text.indexOf(word); i >= 0; i = text.indexOf(word, i + 1))
    if (isBeginning(text, i)) return true
  return false
}

type CharacterClass = 'space' | 'word' | 'other'

function isBeginning(text: string, i: number): boolean {
  const code = text.charCodeAt(i)
  if (isLowSurrogate(code)) return false
  const here = classOf(text, i)
  if (here === 'space') return false
  if (i === 0) return true
  const before = classOf(text, isLowSurrogate(text.charCodeAt(i - 1)) ? i - 2 : i - 1)
  return before === 'space' || (before === 'other' && here === 'word')
}

const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff

function classOf(text: string, i: number): CharacterClass {
  const code = text.codePointAt(i) ?? 0
  return asciiClasses[code] ?? classOfCharacter(String.fromCodePoint(code))
}

const classOfCharacter = (character: string): CharacterClass =>
  wordCharacter.test(character) ? 'word' : whiteSpace.test(character) ? 'space' : 'other'

const asciiClasses = Array.from({ length: 128 }, (_, code) => classOfCharacter(String.fromCharCode(code)))
