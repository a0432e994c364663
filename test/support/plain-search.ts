import type { SmallBox } from './small-catalogue.ts'

/** The rules of search, said once more in the plainest way, over plain boxes. */

const plain = (text: string): string => text.normalize('NFC').toUpperCase().toLowerCase().replaceAll('ς', 'σ')

function beginnings(text: string): string[] {
  const found: string[] = []
  for (const chunk of plain(text).split(/\s+/u)) {
    const characters = [...chunk]
    characters.forEach((character, i) => {
      const inWord = (c: string | undefined) => c !== undefined && /[\p{L}\p{N}\p{M}]/u.test(c)
      if (i === 0 || (inWord(character) && !inWord(characters[i - 1])))
        found.push(characters.slice(i).join(''))
    })
  }
  return found
}

function hasWord(box: SmallBox, word: string): boolean {
  const tag = plain(`${box.organization}/${box.name}`)
  return (
    ([...word].length >= 3 && tag.includes(word)) ||
    [tag, box.shortDescription].some((text) => beginnings(text).some((start) => start.startsWith(word)))
  )
}

/** Whether a box has every word of a query. */
export const hasWords = (box: SmallBox, q: string): boolean =>
  plain(q)
    .split(/\s+/u)
    .filter((word) => word !== '')
    .every((word) => hasWord(box, word))

/** What ties are decided by. */
export const tagOf = (box: SmallBox): string => `${box.organization}/${box.name}`.toLowerCase()

export const hasImage = (
  versions: SmallBox['versions'],
  wanted: { readonly provider: string | null; readonly architecture: string | null }
): boolean =>
  versions.some((version) =>
    version.images.some(
      ([provider, architecture]) =>
        (wanted.provider === null || wanted.provider === provider) &&
        (wanted.architecture === null || wanted.architecture === architecture)
    )
  )
