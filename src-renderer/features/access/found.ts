/** More than people read; who looks for another one types on. */
const most = 200

/** Those that have all the words in one of their texts, and how many more there are than are shown. */
export function found<T>(
  rows: readonly T[],
  typed: string,
  textsOf: (row: T) => readonly string[]
): { readonly shown: readonly T[]; readonly more: number } {
  const words = typed.trim().toLowerCase().split(/\s+/)
  const all = rows.filter((row) => {
    const texts = textsOf(row).map((text) => text.toLowerCase())
    return words.every((word) => texts.some((text) => text.includes(word)))
  })
  return { shown: all.slice(0, most), more: Math.max(0, all.length - most) }
}

/** From so many rows on, there is a field to find one in. */
export const worthFiltering = 12
