import { createContext } from 'svelte'
import type { BoxDetails, ImageDetails, VersionDetails } from '../../../src-main/contract/boxes.ts'
import type { Elsewhere } from '../../../src-main/contract/standings.ts'
import type { About } from '../../../src-main/contract/settings.ts'
import type { BoxRef, ImageRef, VersionRef } from '../../../src-main/contract/words.ts'
import type { Pull } from './fetching.ts'

/** What is asked of the person in a dialog of its own. Things are named, since what they are may change meanwhile. */
export type BoxDialog =
  | { readonly kind: 'rename' }
  | { readonly kind: 'describe-box' }
  | { readonly kind: 'new-version'; readonly like: string | null }
  | { readonly kind: 'number'; readonly version: string }
  | { readonly kind: 'describe-version'; readonly version: string }
  | { readonly kind: 'add-image'; readonly version: string }
  | {
      readonly kind: 'sync'
      readonly remoteId: number
      readonly direction: 'publish' | 'pull'
      readonly both?: boolean
      readonly withRemovals?: boolean
    }
  | {
      readonly kind: 'edit-image'
      readonly version: string
      readonly provider: string
      readonly architecture: string
    }

/** What everything on the page of a box knows. */
export interface BoxPage {
  readonly box: BoxDetails
  readonly about: About | undefined
  readonly serverUrl: string
  /** Where else it is; undefined until that was read. */
  readonly elsewhere: Elsewhere | undefined
  /** The remote it follows, which alone changes it; null for an own box. */
  readonly mirrorOf: Elsewhere['mirrorOf']
  /** What brings something of it here just now. */
  readonly pulls: readonly Pull[]
  open(dialog: BoxDialog): void
  /** Whether a version is shown beside the list; else it takes the page. */
  readonly wide: boolean
  /** Whether a version has taken the page. */
  readonly filled: boolean
  /** Shows a version; where it would take the page, `point` only marks it. */
  select(version: string, how?: 'open' | 'point'): void
}

export const [getBoxPage, setBoxPage] = createContext<BoxPage>()

export const boxRefOf = ({ organization, name }: BoxDetails): BoxRef => ({ organization, box: name })
export const versionRefOf = (box: BoxDetails, version: string): VersionRef => ({ ...boxRefOf(box), version })
export const imageRefOf = (
  box: BoxDetails,
  version: Pick<VersionDetails, 'number'>,
  { provider, architecture }: Pick<ImageDetails, 'provider' | 'architecture'>
): ImageRef => ({ ...versionRefOf(box, version.number), provider, architecture })
