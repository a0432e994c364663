import type { Boxes } from '../../../catalog/boxes.ts'
import type { Images } from '../../../catalog/images.ts'
import type { Synced, WholeRef } from '../../../catalog/synced.ts'
import type { Versions } from '../../../catalog/versions.ts'
import type { Caller } from '../../../domain/model.ts'
import { Problem } from '../../../domain/problem.ts'
import type { Deed } from '../../../domain/sync/plan-types.ts'
import type { BoxTexts, ImageName } from '../../../domain/sync/snapshot.ts'
import type { Tag } from '../../end.ts'

interface Needs {
  readonly boxes: Boxes
  readonly versions: Versions
  readonly images: Images
  readonly synced: Synced
}

/** Carries a deed out in the catalogue; what is so already stays untouched. */
export function carryOutHere(
  needs: Needs,
  caller: Caller,
  tag: Tag,
  deed: Exclude<Deed, { kind: 'put-bytes' }>
): void {
  const { boxes, versions, images, synced } = needs
  const at: [Caller, string, string] = [caller, tag.organization, tag.name]
  switch (deed.kind) {
    case 'create-box':
      return synced.createBox(...at, deed.texts)
    case 'change-box':
      return changeBox(boxes, at, deed.texts)
    case 'create-version': {
      const { version: number, description } = deed
      if (!versionAt(versions, at, number)) versions.create(...at, { number, description })
      return
    }
    case 'change-version': {
      const { version, description } = deed
      if (versions.read(...at, version).description !== description)
        versions.update(...at, version, { description })
      return
    }
    case 'create-image':
      return synced.createImage(caller, refTo(tag, deed), deed)
    case 'change-image': {
      const ref = refTo(tag, deed)
      if (deed.url) synced.changeContent(caller, ref, { ...deed.url, known: null })
      if (deed.known)
        synced.changeContent(caller, ref, { url: null, checksums: deed.known.checksums, known: deed.known })
      if (deed.isDefault) synced.makeDefault(caller, ref)
      return
    }
    case 'release':
      return synced.setStatus(...at, deed.version, 'active')
    case 'revoke':
      return synced.setStatus(...at, deed.version, 'revoked')
    case 'remove-image':
      return unlessGone(() => images.remove(caller, refTo(tag, deed)))
    case 'remove-version':
      return unlessGone(() => versions.remove(...at, deed.version))
    case 'remove-box':
      return unlessGone(() => boxes.remove(...at))
  }
}

export const refTo = ({ organization, name }: Tag, image: ImageName): WholeRef => ({
  organization,
  box: name,
  version: image.version,
  provider: image.provider,
  architecture: image.architecture
})

function changeBox(boxes: Boxes, at: [Caller, string, string], texts: Partial<BoxTexts>): void {
  const box = boxes.read(...at)
  const differs = (Object.keys(texts) as (keyof BoxTexts)[]).some((key) => texts[key] !== box[key])
  if (differs) boxes.update(...at, texts)
}

function versionAt(versions: Versions, at: [Caller, string, string], number: string): boolean {
  try {
    versions.read(...at, number)
    return true
  } catch (error) {
    if (error instanceof Problem && error.kind === 'missing') return false
    throw error
  }
}

function unlessGone(work: () => unknown): void {
  try {
    work()
  } catch (error) {
    if (!(error instanceof Problem && error.kind === 'missing')) throw error
  }
}
