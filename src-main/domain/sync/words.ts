import { sizeText } from '../../contract/size-text.ts'
import type { Deed, SyncPlanInput } from './plan-types.ts'
import type { BoxTexts, ImageName } from './snapshot.ts'

/** How the two sides are called in the sentences of one plan. */
export interface Words {
  readonly isPublish: boolean
  readonly tag: string
  readonly remote: string
  /** "at Lab", or "here". */
  readonly atTarget: string
  readonly atSource: string
}

export const wordsOf = ({
  direction,
  tag,
  remoteName
}: Pick<SyncPlanInput, 'direction' | 'tag' | 'remoteName'>): Words => {
  const isPublish = direction === 'publish'
  const there = `at ${remoteName}`
  return {
    isPublish,
    tag,
    remote: remoteName,
    atTarget: isPublish ? there : 'here',
    atSource: isPublish ? 'here' : there
  }
}

export const imageText = ({ provider, architecture }: Omit<ImageName, 'version'>): string =>
  `${provider}/${architecture}`

/** " (1.4 GB)", or nothing where nobody knows. */
export const inSize = (size: number | null): string => (size === null ? '' : ` (${sizeText(size)})`)

const textNames: Readonly<Record<'shortDescription' | 'description', string>> = {
  shortDescription: 'the short description',
  description: 'the description'
}

/** "the short description" or whatever else of a box is meant. */
export const fieldText = (field: keyof BoxTexts): string =>
  field === 'private' ? 'who may see it' : textNames[field]

/** What a deed does, in a whole sentence. */
export function sentenceOf(deed: Deed, words: Words): string {
  const { atTarget } = words
  switch (deed.kind) {
    case 'create-box':
      return `Makes the ${deed.texts.private ? 'private' : 'public'} box ${words.tag} ${atTarget}.`
    case 'change-box':
      return changeBoxText(deed.texts, words)
    case 'create-version':
      return `Adds version ${deed.version}.`
    case 'change-version':
      return `Changes the description of ${deed.version} ${atTarget}.`
    case 'create-image':
      return createImageText(deed, words)
    case 'change-image':
      return changeImageText(deed, words)
    case 'put-bytes':
      return putBytesText(deed, words)
    case 'release':
      return `Releases ${deed.version} ${atTarget}.`
    case 'revoke':
      return `Revokes ${deed.version} ${atTarget}, which is final.`
    case 'remove-image':
      return `Removes ${imageText(deed)} of ${deed.version} ${atTarget}.`
    case 'remove-version':
      return `Removes version ${deed.version} ${atTarget}.`
    case 'remove-box':
      return `Removes the box ${words.tag} ${atTarget}.`
  }
}

function changeBoxText(texts: Partial<BoxTexts>, { atTarget }: Words): string {
  const fields = (['shortDescription', 'description'] as const).filter((field) => texts[field] !== undefined)
  const changes = fields.length > 0 ? [`Changes ${fields.map(fieldText).join(' and ')}`] : []
  if (texts.private !== undefined) {
    const made = `the box ${texts.private ? 'private' : 'public'}`
    changes.push(fields.length > 0 ? `makes ${made}` : `Makes ${made}`)
  }
  return `${changes.join(', and ')} ${atTarget}.`
}

function createImageText(deed: Extract<Deed, { kind: 'create-image' }>, { atSource }: Words): string {
  const image = `${imageText(deed)}`
  if (deed.known)
    return `Notes ${image} of ${deed.version}${inSize(deed.known.size)}, whose file stays ${atSource}.`
  const where = deed.url === null ? '' : `, whose file stays at ${shortened(deed.url)}`
  return `Adds the image ${image} to ${deed.version}${where}.`
}

function changeImageText(deed: Extract<Deed, { kind: 'change-image' }>, words: Words): string {
  const of = `${imageText(deed)} of ${deed.version}`
  const sentences: string[] = []
  if (deed.url) sentences.push(`Points ${of} to ${shortened(deed.url.url)} ${words.atTarget}.`)
  if (deed.known) sentences.push(`Notes ${of}${inSize(deed.known.size)}, whose file stays ${words.atSource}.`)
  if (deed.isDefault)
    sentences.push(
      `Makes ${deed.architecture} the default architecture of ${deed.provider} in ${deed.version} ${words.atTarget}.`
    )
  return sentences.join(' ')
}

function putBytesText(deed: Extract<Deed, { kind: 'put-bytes' }>, words: Words): string {
  const of = `${imageText(deed)} of ${deed.version}`
  if (deed.replaces) return `Replaces ${of} ${words.atTarget} by the file ${words.atSource}.`
  return `${words.isPublish ? 'Uploads' : 'Fetches'} ${of}.`
}

const longestAddress = 120

const shortened = (address: string): string =>
  address.length > longestAddress ? `${address.slice(0, longestAddress)}…` : address
