import { checksumTypes } from '../model.ts'
import type { Checksums, Content } from './snapshot.ts'

/** Whether two things are the same, as far as can be told. */
export type Told = 'same' | 'different' | 'unknown'

/** Content that is bytes somewhere, here or at the remote. */
export type BytesContent = Extract<Content, { kind: 'bytes' | 'known' }>

export const isBytes = (content: Content): content is BytesContent =>
  content.kind === 'bytes' || content.kind === 'known'

/** By every checksum type both have; one that differs is enough. */
export function tellChecksums(a: Checksums, b: Checksums): Told {
  let told: Told = 'unknown'
  for (const type of checksumTypes) {
    if (a[type] === undefined || b[type] === undefined) continue
    if (a[type] !== b[type]) return 'different'
    told = 'same'
  }
  return told
}

/** Whether two contents are the same one. */
export function tellContents(a: Content, b: Content): Told {
  if (a.kind === 'empty' || b.kind === 'empty') return a.kind === b.kind ? 'same' : 'different'
  if (a.kind === 'url' || b.kind === 'url') {
    if (a.kind !== 'url' || b.kind !== 'url' || a.url !== b.url) return 'different'
    return tellChecksums(a.checksums, b.checksums) === 'different' ? 'different' : 'same'
  }
  if (a.size !== null && b.size !== null && a.size !== b.size) return 'different'
  return tellChecksums(a.checksums, b.checksums)
}

/** The same where what both last agreed on may have to help: a side that tells no checksum is taken not to have changed. */
export function tellSides(a: Content, b: Content, agreed: Content | undefined): Told {
  const told = tellContents(a, b)
  if (told !== 'unknown' || agreed === undefined) return told
  const changed = [a, b].filter((side) => tellContents(side, agreed) === 'different').length
  return changed === 0 ? 'same' : changed === 1 ? 'different' : 'unknown'
}

/** Whether something is as it was agreed on; what never was agreed on is not. */
export const isAsAgreed = (content: Content, agreed: Content | undefined): boolean =>
  agreed !== undefined && tellContents(content, agreed) !== 'different'

/** Both sides of one content, with every checksum either knows. */
export function mergeContents(a: Content, b: Content): Content {
  if (a.kind === 'empty' || b.kind === 'empty') return a.kind === 'empty' ? b : a
  const checksums = { ...a.checksums, ...b.checksums }
  if (a.kind === 'url') return { kind: 'url', url: a.url, checksums }
  const size = a.size ?? (b.kind === 'url' ? null : b.size)
  return { kind: 'bytes', size, checksums }
}
