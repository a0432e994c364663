import { createHash } from 'node:crypto'
import type { ConflictChoice, SyncConflict } from '../../contract/sync.ts'
import { capital } from '../../contract/sentences.ts'
import { tellSides } from './compare.ts'
import type { VersionStatus } from '../model.ts'
import type { AgreedImage, BoxTexts, Content, ImageName, ImageSnapshot } from './snapshot.ts'
import { fieldText, imageText, inSize, type Words } from './words.ts'

type Choices = Readonly<Record<string, ConflictChoice>>
type Offer = SyncConflict['choices'][number]

/** Two sides of something that is different, of which neither gives way. */
interface Clash {
  readonly key: string
  readonly sentence: string
  readonly offers: readonly Offer[]
}

/** Gathers what has to be decided, with what was. */
export class Conflicts {
  readonly #choices: Choices
  readonly #found: SyncConflict[] = []

  constructor(choices: Choices) {
    this.#choices = choices
  }

  /** What was chosen of it; null while nobody has, or when that is no longer possible. */
  add({ key, sentence, offers }: Clash): ConflictChoice | null {
    const choice = this.chosen(key)
    const chosen = offers.some((offer) => offer.choice === choice) ? choice : null
    this.#found.push({ key, sentence, choices: offers, chosen })
    return chosen
  }

  /** Something else that was decided decides this too. */
  settle(key: string, chosen: ConflictChoice): void {
    const at = this.#found.findIndex((conflict) => conflict.key === key)
    const found = this.#found[at]
    if (found?.chosen === null) this.#found[at] = { ...found, chosen }
  }

  chosen(key: string): ConflictChoice | null {
    return Object.hasOwn(this.#choices, key) ? (this.#choices[key] ?? null) : null
  }

  list(): SyncConflict[] {
    return this.#found
  }
}

/** The two sides of something in the order that both directions agree on, so that one decision serves both. */
const sidesOf = <T>({ isPublish }: Words, source: T, target: T): readonly [here: T, there: T] =>
  isPublish ? [source, target] : [target, source]

/**
 * The key of a conflict holds what each side has: whoever chose to keep both is not asked again while neither changes,
 * and is asked again when one does.
 */
export function textClash(
  field: keyof BoxTexts,
  version: string | null,
  sides: {
    readonly source: string | boolean
    readonly target: string | boolean
    readonly wasAgreed: boolean
  },
  words: Words
): Clash {
  const [here, there] = sidesOf(words, sides.source, sides.target)
  const what = version === null ? capital(fieldText(field)) : `The description of ${version}`
  const sentence =
    typeof here === 'boolean'
      ? `The box is ${here ? 'private' : 'public'} here and ${there ? 'private' : 'public'} at ${words.remote}.`
      : `${what} is another one here than at ${words.remote}${since(sides.wasAgreed)}.`
  return {
    key: `${version === null ? 'box' : `version ${version}`} ${field} ${textMark(here)}-${textMark(there)}`,
    sentence,
    offers: words.isPublish
      ? [
          { choice: 'ours', sentence: `Use the one here at ${words.remote} too.` },
          { choice: 'theirs', sentence: `Take over the one of ${words.remote} here.` },
          bothStay
        ]
      : [{ choice: 'theirs', sentence: `Take over the one of ${words.remote}.` }, bothStay]
  }
}

/** Two images of one name and version with other bytes, or ones of which nobody can tell. */
export function contentClash(
  image: ImageName,
  sides: {
    readonly source: ImageSnapshot
    readonly target: ImageSnapshot
    readonly base: AgreedImage | undefined
    /** Of the version at the target. */
    readonly status: VersionStatus
    /** Under which the one here could be published; null where it could not. */
    readonly newNumber: string | null
  },
  words: Words
): Clash {
  const { source, target, base } = sides
  const [here, there] = sidesOf(words, source, target)
  const unknown = tellSides(source.content, target.content, base?.content) === 'unknown'
  const name = `${imageText(here)} of ${image.version}`
  return {
    // Of the image here, which is called so whichever way it goes.
    key: `image ${image.version} ${imageText(here)} ${contentMark(here.content)}-${contentMark(there.content)}`,
    sentence: unknown
      ? `${name} cannot be compared: here${inContent(here.content)} and at ${words.remote}${inContent(there.content)} ` +
        'have no checksum of one type, and nothing says that they are the same file.'
      : `${name} is another file here${inContent(here.content)} than at ${words.remote}${inContent(there.content)}` +
        `${since(base !== undefined)}.`,
    offers: words.isPublish ? publishOffers(sides, words) : pullOffers(image, sides, words)
  }
}

function publishOffers(
  { newNumber, status }: { readonly newNumber: string | null; readonly status: VersionStatus },
  { remote }: Words
): Offer[] {
  const own: Offer = {
    choice: 'new-version',
    sentence: `Publish the one here as a version of its own, ${newNumber}.`
  }
  const ours: Offer = {
    choice: 'ours',
    sentence: `Replace the one at ${remote}, which has not been released there.`
  }
  return [
    ...(newNumber === null ? [] : [own]),
    bothStay,
    { choice: 'theirs', sentence: `Take over the one of ${remote} here.` },
    ...(status === 'unreleased' ? [ours] : [])
  ]
}

const pullOffers = (
  { version }: ImageName,
  { status }: { readonly status: VersionStatus },
  { remote }: Words
): Offer[] => [
  bothStay,
  {
    choice: 'theirs',
    sentence:
      status === 'unreleased'
        ? `Replace the one here by that of ${remote}.`
        : `Replace the one here by that of ${remote}, though ${version} has been released here.`
  }
]

const bothStay: Offer = { choice: 'keep-both', sentence: 'Leave both as they are.' }

const since = (wasAgreed: boolean): string =>
  wasAgreed ? '; both have changed since they were last the same' : ''

const inContent = (content: Content): string =>
  content.kind === 'url' ? ' (an address elsewhere)' : content.kind === 'empty' ? '' : inSize(content.size)

/** Enough digits that nobody meets two of them. */
const markDigits = 16

const textMark = (text: string | boolean): string => (typeof text === 'boolean' ? String(text) : digest(text))

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, markDigits)

/** By one checksum, the same one always, because which of them are known of a file may change and the file not. */
const preferred = ['sha256', 'sha512', 'sha384', 'sha1', 'md5'] as const

function contentMark(content: Content): string {
  if (content.kind === 'empty') return 'empty'
  if (content.kind === 'url') return `url:${digest(content.url)}`
  for (const type of preferred) {
    const checksum = content.checksums[type]
    if (checksum !== undefined) return `${type}:${checksum.slice(0, markDigits)}`
  }
  return content.size === null ? 'unknown' : `size:${content.size}`
}
