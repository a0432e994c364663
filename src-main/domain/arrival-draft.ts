import type { ArrivalDraft } from '../contract/arrivals.ts'
import { unknownArchitecture } from './architecture.ts'
import { boxNamedBy } from './file-name.ts'
import { nameKey } from './names.ts'
import { nextNumber } from './version-number.ts'

/** What is known of a file that is to become an image. */
export interface ArrivedFile {
  readonly fileName: string
  /** Null until the file was read; of a url for ever. */
  readonly facts: { readonly provider: string | null; readonly architecture: string | null } | null
}

/** What a proposal asks of the catalogue. */
export interface DraftSurroundings {
  /** Whose organization boxes go to unless somebody says otherwise; '' when there is none yet. */
  readonly owner: string
  /** The highest version of a box; null when it has none, or is not there. */
  readonly highestVersion: (organization: string, name: string) => string | null
}

const firstNumber = '1.0.0'

/** Names of providers people put into file names. What the file says of itself counts more. */
const providers = [
  ...[
    'virtualbox',
    'libvirt',
    'vmware_desktop',
    'vmware_fusion',
    'vmware_workstation',
    'vmware',
    'parallels'
  ],
  ...['hyperv', 'qemu', 'utm', 'docker', 'lxc', 'xenserver', 'bhyve']
]

/** And of architectures, with the name the API has for each. */
const architectures: Readonly<Record<string, string>> = {
  ...{ amd64: 'amd64', x86_64: 'amd64', x64: 'amd64', i386: 'i386', i686: 'i386' },
  ...{ arm64: 'arm64', aarch64: 'arm64', ppc64le: 'ppc64le', s390x: 's390x' }
}

export const emptyDraft: ArrivalDraft = {
  ...{ organization: '', name: '', version: '', provider: '', architecture: '' },
  ...{ private: true, shortDescription: '', versionDescription: '' },
  ...{ checksum: '', checksumType: 'sha256', release: false, isDefault: false, remotes: [] }
}

/** A draft as it was, with what the person says of it now. */
export interface DraftSaid {
  readonly before: ArrivalDraft
  readonly said: Partial<ArrivalDraft>
  /** The fields they have given, now or before. */
  readonly touched: ReadonlySet<keyof ArrivalDraft>
}

/**
 * Fills in what the person has not given, from the file's name, from what the file says of itself and from what there is. A version that was proposed stays while the box is the same one: others that
 * came with the file may have been published meanwhile, and it belongs with them.
 */
export function proposeDraft(
  { fileName, facts }: ArrivedFile,
  { before, said: saidNow, touched }: DraftSaid,
  { owner, highestVersion }: DraftSurroundings
): ArrivalDraft {
  const draft = { ...before, ...saidNow }
  const said = saidByName(fileName)
  const named = boxNamedBy(fileName, suffixesOf(said, facts))
  const kept = <K extends keyof ArrivalDraft>(field: K, proposal: ArrivalDraft[K]): ArrivalDraft[K] =>
    touched.has(field) ? draft[field] : proposal
  const organization = kept('organization', owner)
  const name = kept('name', named.name)
  const sameBox = before.version !== '' && sameName(before, { organization, name })
  const next = (): string => {
    const highest = name === '' ? null : highestVersion(organization, name)
    return highest === null ? firstNumber : nextNumber(highest)
  }
  return {
    ...draft,
    organization,
    name,
    version: kept('version', named.version ?? (sameBox ? before.version : next())),
    provider: kept('provider', facts?.provider ?? said.provider ?? ''),
    architecture: kept(
      'architecture',
      facts?.architecture ?? said.architecture?.means ?? (facts ? unknownArchitecture : '')
    )
  }
}

/** The last part of a url's path, as the file there would be called. */
export function fileNameOf(url: string): string {
  const path = URL.canParse(url) ? new URL(url).pathname : url
  const last = path.split('/').findLast((part) => part !== '') ?? ''
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}

interface SaidByName {
  readonly provider: string | null
  readonly architecture: { readonly written: string; readonly means: string } | null
}

function saidByName(fileName: string): SaidByName {
  const name = fileName.toLowerCase()
  const says = (word: string): boolean => new RegExp(`[-_. ]${word}(?=[-_. ]|$)`).test(name)
  const written = Object.keys(architectures).find(says)
  return {
    provider: providers.find(says) ?? null,
    architecture: written === undefined ? null : { written, means: architectures[written] ?? written }
  }
}

/** What of a file's name is no part of the box's. A provider's name is one if the file is for another provider. */
function suffixesOf({ provider, architecture }: SaidByName, facts: ArrivedFile['facts']): (string | null)[] {
  const saidInside = facts?.provider ?? provider
  const isProvider = provider !== null && saidInside?.toLowerCase().startsWith(provider)
  return [
    facts?.architecture ?? null,
    facts?.provider ?? null,
    architecture?.written ?? null,
    isProvider ? provider : null
  ]
}

const sameName = (
  a: Pick<ArrivalDraft, 'organization' | 'name'>,
  b: Pick<ArrivalDraft, 'organization' | 'name'>
): boolean => nameKey(a.organization) === nameKey(b.organization) && nameKey(a.name) === nameKey(b.name)
