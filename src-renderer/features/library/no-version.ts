import type { BoxRow } from '../../../src-main/contract/library.ts'

/** Why clients get no version of a box, in a word or two. */
export function noVersion({ versions, hasUnreleased, mirrored, here }: BoxRow): string {
  if (versions === 0) return 'Empty'
  if (hasUnreleased) return 'Unreleased'
  return mirrored && here === 'none' ? 'Not here yet' : 'Revoked'
}
