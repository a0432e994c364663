import type { Arrival, ArrivalDraft, ArrivalPlan, PlanStep } from '../contract/arrivals.ts'
import { architectureFault, unknownArchitecture } from './architecture.ts'
import { declare, mismatch, nothingDeclared, type Declared } from './checksum.ts'
import { imageUrlFault } from './image-url.ts'
import type { ChecksumType, VersionStatus } from './model.ts'
import { nameFault } from './names.ts'
import { sizeText } from '../contract/size-text.ts'
import { descriptionFault, shortDescriptionFault } from './texts.ts'
import { numberFault } from './version-number.ts'

/** The file a plan is about. */
export interface PlannedFile {
  readonly kind: Arrival['kind']
  /** Of a url, the url. */
  readonly origin: string
  readonly size: number | null
  /** Null until the bytes were read, and for a url. */
  readonly digest: {
    readonly sha256: string
    readonly checksums: Readonly<Partial<Record<ChecksumType, string>>>
  } | null
}

/** An image of the version a file is to go to. */
export interface PlannedImage {
  readonly provider: string
  readonly architecture: string
  readonly isDefault: boolean
  readonly url: string | null
  readonly blob: string | null
  readonly declared: Declared
}

/** What there is already of what a draft names. */
export interface PlanSurroundings {
  readonly organization: { readonly name: string } | null
  readonly box: {
    readonly organization: string
    readonly name: string
    /** The name of the remote it is a mirror of; absent or null for an own one. */
    readonly mirrorOf?: string | null
  } | null
  /** The one whose number is equal, however it is written. */
  readonly version: {
    readonly number: string
    readonly status: VersionStatus
    readonly images: readonly PlannedImage[]
  } | null
}

/** Tells what publishing a file as its draft says would do, and what speaks against it. */
export function planArrival(file: PlannedFile, draft: ArrivalDraft, there: PlanSurroundings): ArrivalPlan {
  const places = [organizationFault(draft, there), nameFault('The box name', draft.name), mirrorFault(there)]
  const versions = [numberFault(draft.version), equalNumberFault(draft, there), revokedFault(there)]
  const images = [providerFault(file, draft), architectureFault(architectureOf(draft)), fileFault(file)]
  const checksum = checksumFaults(file, draft, there)
  const texts = [
    there.box ? null : shortDescriptionFault(draft.shortDescription),
    there.version ? null : descriptionFault(draft.versionDescription)
  ]
  const problems = some([...places, ...versions, ...texts, ...images, ...checksum])
  const namesBox = some(places).length === 0
  const namesVersion = namesBox && some(versions).length === 0
  const namesImage = namesVersion && draft.provider !== '' && some(images).length === 0
  return {
    steps: [
      ...(namesBox ? boxSteps(draft, there) : []),
      ...(namesVersion ? versionSteps(draft, there) : []),
      ...(namesImage ? imageSteps(file, draft, there) : []),
      ...(namesVersion ? releaseSteps(draft, there) : [])
    ],
    problems
  }
}

/** Clients take an empty one for "not given". */
export const architectureOf = ({ architecture }: Pick<ArrivalDraft, 'architecture'>): string =>
  architecture === '' ? unknownArchitecture : architecture

function organizationFault({ organization }: ArrivalDraft, there: PlanSurroundings): string | null {
  if (there.organization) return null
  return (
    nameFault('The organization name', organization) ??
    `There is no organization ${organization}; add it first, or choose another.`
  )
}

const mirrorFault = ({ box }: PlanSurroundings): string | null =>
  box?.mirrorOf
    ? `${box.organization}/${box.name} is a mirror of the box at ${box.mirrorOf}, and nothing can be added to it here; fork it first, or choose another box.`
    : null

const equalNumberFault = ({ version }: ArrivalDraft, there: PlanSurroundings): string | null =>
  there.version && there.version.number !== version && there.version.status !== 'revoked'
    ? `Version ${version} is the same number as ${there.version.number}, which already exists; write it that way, or choose another.`
    : null

const revokedFault = ({ version }: PlanSurroundings): string | null =>
  version?.status === 'revoked'
    ? `Version ${version.number} was revoked, which is final; choose another number.`
    : null

function providerFault({ kind, digest }: PlannedFile, { provider }: ArrivalDraft): string | null {
  if (provider !== '') return nameFault('The provider name', provider)
  if (kind === 'url') return 'The provider name is missing.'
  // What the file says of itself may yet fill it in.
  return digest ? 'The provider name is missing, and the file does not say which provider it is for.' : null
}

const fileFault = ({ kind, origin }: PlannedFile): string | null =>
  kind === 'url' ? imageUrlFault(origin) : null

/** Of the checksum the person gave, and of the one that was declared for the image before its bytes came. */
function checksumFaults(file: PlannedFile, draft: ArrivalDraft, there: PlanSurroundings): (string | null)[] {
  const declared = imageOf(draft, there)?.declared ?? nothingDeclared
  const given = draft.checksum === '' ? declared : declare(declared, draft)
  if ('faults' in given) return [...given.faults]
  const { digest } = file
  if (!digest || given.type === null || digest.checksums[given.type] === undefined) return []
  if (draft.checksum === '') return [mismatch(given, digest.checksums)]
  return given.expected === digest.checksums[given.type]
    ? []
    : [
        `The ${given.type} checksum of the file is ${digest.checksums[given.type]}, not the one given; ` +
          'this is another file, or one that was damaged on its way.'
      ]
}

const imageOf = (draft: ArrivalDraft, { version }: PlanSurroundings): PlannedImage | undefined =>
  version?.images.find(
    ({ provider, architecture }) => provider === draft.provider && architecture === architectureOf(draft)
  )

function boxSteps(draft: ArrivalDraft, { organization, box }: PlanSurroundings): PlanStep[] {
  if (box)
    return draft.shortDescription === ''
      ? []
      : [stays(`${box.organization}/${box.name} is there already and keeps its short description.`)]
  const kind = draft.private ? 'private' : 'public'
  const tag = `${organization?.name ?? draft.organization}/${draft.name}`
  return [{ kind: 'create-box', sentence: `Makes the ${kind} box ${tag}.` }]
}

function versionSteps(draft: ArrivalDraft, { version }: PlanSurroundings): PlanStep[] {
  if (!version) return [{ kind: 'create-version', sentence: `Adds version ${draft.version}.` }]
  return draft.versionDescription === ''
    ? []
    : [stays(`Version ${version.number} is there already and keeps its description.`)]
}

function imageSteps(file: PlannedFile, draft: ArrivalDraft, there: PlanSurroundings): PlanStep[] {
  const name = `${draft.provider}/${architectureOf(draft)}`
  const { version } = there
  const number = version?.number ?? draft.version
  const image = imageOf(draft, there)
  const size = file.size === null ? '' : ` (${sizeText(file.size)})`
  const what = file.kind === 'url' ? `${name}, whose file stays at ${file.origin}` : `${name}${size}`
  const isActive = version?.status === 'active'
  const defaults = defaultSteps(draft, there)
  if (!image)
    return [
      {
        kind: 'create-image',
        sentence: isActive
          ? `Adds the image ${what} to ${number}, which has been released: it can be used at once.`
          : `Adds the image ${what}.`
      },
      ...defaults
    ]
  if (isSame(file, image)) return [stays(`${name} of ${number} is this very file already.`), ...defaults]
  if (image.blob === null && image.url === null)
    return [
      { kind: 'create-image', sentence: `Gives the image ${name} of ${number} its file${size}.` },
      ...defaults
    ]
  const by = file.kind === 'url' ? ` by ${file.origin}` : ''
  return [
    {
      kind: 'replace-image',
      sentence: isActive
        ? `Replaces the file of ${name} in ${number}${by}, which has been released: ` +
          'everybody who adds it from now on gets the new bytes.'
        : `Replaces the file of ${name} in ${number}${by}.`
    },
    ...defaults
  ]
}

const isSame = ({ kind, origin, digest }: PlannedFile, { blob, url }: PlannedImage): boolean =>
  kind === 'url' ? url === origin : digest !== null && blob === digest.sha256

/** The first image of a provider is its default whatever anybody says. */
function defaultSteps(draft: ArrivalDraft, { version }: PlanSurroundings): PlanStep[] {
  if (!draft.isDefault) return []
  const other = version?.images.find(
    ({ provider, architecture, isDefault }) =>
      isDefault && provider === draft.provider && architecture !== architectureOf(draft)
  )
  if (!other) return []
  const sentence = `Makes ${architectureOf(draft)} the default architecture of ${draft.provider}, in place of ${other.architecture}.`
  return [{ kind: 'create-image', sentence }]
}

const releaseSteps = (draft: ArrivalDraft, { version }: PlanSurroundings): PlanStep[] =>
  draft.release && version?.status !== 'active'
    ? [{ kind: 'release', sentence: `Releases ${version?.number ?? draft.version}.` }]
    : []

const stays = (sentence: string): PlanStep => ({ kind: 'nothing', sentence })

const some = (faults: readonly (string | null)[]): string[] => faults.filter((fault) => fault !== null)
