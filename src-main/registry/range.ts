/** Part of a file; both ends belong to it. */
export interface Range {
  readonly start: number
  readonly end: number
}

const single = /^bytes=(\d*)-(\d*)$/

/**
 * The part of a file of `size` bytes a Range header asks for, or null for all of it. What cannot be satisfied is
 * answered in full, as HTTP allows: clients that have the whole file already ask for what comes after its end, and an
 * answer of 416 would keep them from ever finishing.
 */
export function rangeOf(header: string | undefined, size: number): Range | null {
  const match = header === undefined ? null : single.exec(header.trim())
  if (!match) return null
  const [, first = '', last = ''] = match
  if (first === '') {
    const length = Number(last)
    return last === '' || length === 0 || size === 0
      ? null
      : { start: Math.max(0, size - length), end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  return start >= size || start > end ? null : { start, end }
}
