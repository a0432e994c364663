import { isAsAgreed, isBytes, tellChecksums, tellSides, type BytesContent } from './compare.ts'
import { contentClash } from './conflicts.ts'
import type { Findings } from './findings.ts'
import type { ImagePair, VersionPair } from './pairs.ts'
import type { Content, ImageName, ImageSnapshot } from './snapshot.ts'
import { imageText, type Words } from './words.ts'

/** One image of a version, and how it is called at the target. */
export interface Candidate extends ImagePair {
  readonly source: ImageSnapshot
  readonly name: ImageName
  /** How it is called at the source. */
  readonly from: ImageName
}

/** What becomes of one image at the target. */
export type Outcome =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'held'; readonly clash: string; readonly own: boolean }
  /** With bytes that follow, at an address, known, or as empty as at the source. */
  | { readonly kind: 'create'; readonly content: Content; readonly put: boolean }
  | { readonly kind: 'put'; readonly replaces: boolean }
  | { readonly kind: 'point' }
  | { readonly kind: 'know' }

/** Three-way: what the target lacks is brought, what only one side changed follows, and what both did is asked. */
export function judge(
  one: Candidate,
  pair: VersionPair,
  newNumber: string | null,
  findings: Findings
): Outcome {
  const { source, target, base, name } = one
  const { words, notes } = findings
  const { content } = source
  if (target && content.kind === 'empty') return nothing
  if (!target && isGone(one, pair, findings)) {
    notes.add(
      `${imageText(name)} of ${name.version} was removed ${words.atTarget} and is not brought again; name it to have it there.`
    )
    return nothing
  }
  const told = target ? tellSides(content, target.content, base?.content) : 'different'
  if (content.kind === 'known') {
    if (told !== 'same') notes.add(unsendable(one, words))
    return nothing
  }
  if (!target) return fill(one, findings)
  if (target.content.kind === 'empty') {
    if (content.kind === 'url') return { kind: 'point' }
    return isFetched(one, findings) ? { kind: 'put', replaces: false } : { kind: 'know' }
  }
  if (target.content.kind === 'known') return judgeKnown(one, target.content, told, findings)
  if (told === 'same') return nothing
  if (told === 'different' && base && tellSides(content, base.content, undefined) !== 'different') {
    notes.add(
      `${imageText(name)} of ${name.version} has another file ${words.atTarget} since both were the same; it stays there.`
    )
    return nothing
  }
  if (isMove(one)) return { kind: 'point' }
  return decide(one, pair, newNumber, findings)
}

const nothing: Outcome = { kind: 'nothing' }

/**
 * Whether it was removed at the target since both agreed on it. In a version that is not released yet it is brought all
 * the same: that may be one whose making was cut off, and nobody uses it yet.
 */
const isGone = ({ source, base }: Candidate, { target }: VersionPair, { input }: Findings): boolean =>
  target !== undefined &&
  target.status !== 'unreleased' &&
  input.scope.image === undefined &&
  base !== undefined &&
  isAsAgreed(source.content, base.content)

const unsendable = ({ name }: Candidate, { isPublish }: Words): string =>
  isPublish
    ? `${imageText(name)} of ${name.version} is not on this disk, so it cannot be published; fetch it first.`
    : `${imageText(name)} of ${name.version} is known there, but its file is not there, so it cannot be fetched.`

function fill(one: Candidate, findings: Findings): Outcome {
  const { content } = one.source
  if (content.kind === 'url' || content.kind === 'empty') return { kind: 'create', content, put: false }
  return { kind: 'create', content, put: isFetched(one, findings) }
}

const isFetched = ({ source, from }: Candidate, { input, words }: Findings): boolean =>
  words.isPublish || input.scope.fetches(from, isBytes(source.content) ? source.content.size : null)

/** Nothing of one's own is lost where only a note of bytes is, so that follows the source. */
function judgeKnown(
  one: Candidate,
  target: BytesContent,
  told: ReturnType<typeof tellSides>,
  findings: Findings
): Outcome {
  const { content } = one.source
  if (content.kind === 'url') return { kind: 'point' }
  if (!isBytes(content)) return nothing
  if (isFetched(one, findings)) return { kind: 'put', replaces: false }
  if (told === 'same') return nothing
  const isNoted =
    target.size === content.size && JSON.stringify(target.checksums) === JSON.stringify(content.checksums)
  return isNoted ? nothing : { kind: 'know' }
}

/** Another address of what may well be the same file: nobody's bytes are lost by following it. */
const isMove = ({ source, base, target }: Candidate): boolean =>
  source.content.kind === 'url' &&
  target?.content.kind === 'url' &&
  base !== undefined &&
  isAsAgreed(target.content, base.content) &&
  tellChecksums(source.content.checksums, target.content.checksums) !== 'different'

function decide(
  { source, target, base, name }: Candidate,
  pair: VersionPair,
  newNumber: string | null,
  { conflicts, words }: Findings
): Outcome {
  if (!target || !pair.target) return nothing
  const here = (words.isPublish ? pair.source : pair.target)?.number ?? name.version
  const clash = contentClash(
    { ...name, version: here },
    { source, target, base, status: pair.target.status, newNumber },
    words
  )
  const chosen = conflicts.add(clash)
  if (chosen !== (words.isPublish ? 'ours' : 'theirs'))
    return { kind: 'held', clash: clash.key, own: chosen === 'new-version' }
  if (source.content.kind === 'url') return { kind: 'point' }
  return { kind: 'put', replaces: true }
}
