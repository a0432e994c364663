import type { BoxDetails, ImageDetails, Removed, VersionDetails } from '../../../src-main/contract/boxes.ts'
import type { ImageRef } from '../../../src-main/contract/words.ts'
import { ask } from '../../api.ts'
import { copyText } from '../../app/clipboard.ts'
import { confirm } from '../../app/confirm.svelte.ts'
import { boxPath, go } from '../../app/router.svelte.ts'
import { attempt, toast } from '../../app/toasts.svelte.ts'
import {
  forkConsequences,
  releaseConsequences,
  removeBoxConsequences,
  removeVersionConsequences,
  revokeConsequences,
  tagOf,
  visibilityMeaning
} from './consequences.ts'
import { boxRefOf, imageRefOf, versionRefOf } from './context.ts'

/** Says what was deleted, and offers to have it back. */
function offerUndo({ trashId, what }: Removed, then: () => void = () => {}): void {
  toast('success', `Deleted ${what}.`, {
    label: 'Undo',
    run: async () => {
      const restored = await attempt(() => ask('trash.restore', { id: trashId }))
      if (!restored) return
      toast('success', `Restored ${restored.what}.`)
      then()
    }
  })
}

/** A mirrored box comes again where a rule says so; `mirrorOf` names its remote. */
export async function removeBox(box: BoxDetails, mirrorOf?: string): Promise<void> {
  const yes = await confirm({
    title: `Delete ${tagOf(box)}?`,
    sentences: removeBoxConsequences(box, mirrorOf),
    verb: `Delete ${tagOf(box)}`,
    danger: true
  })
  if (!yes) return
  const removed = await attempt(() => ask('box.remove', boxRefOf(box)))
  if (!removed) return
  go('/library', { replace: true })
  offerUndo(removed, () => go(boxPath(box.organization, box.name)))
}

export async function forkBox(box: BoxDetails, mirrorOf: string): Promise<void> {
  const yes = await confirm({
    title: `Fork ${tagOf(box)}?`,
    sentences: forkConsequences(box, mirrorOf),
    verb: `Fork ${tagOf(box)}`
  })
  if (!yes) return
  await attempt(async () => {
    await ask('mirrors.fork', boxRefOf(box))
    toast('success', `${tagOf(box)} is a box of your own now.`)
  })
}

export async function setPrivate(box: BoxDetails, now: boolean): Promise<void> {
  const yes = await confirm({
    title: now ? `Make ${tagOf(box)} private?` : `Make ${tagOf(box)} public?`,
    sentences: [visibilityMeaning({ organization: box.organization, private: now })],
    verb: now ? 'Make private' : 'Make public'
  })
  if (yes) await attempt(() => ask('box.change', { ...boxRefOf(box), changes: { private: now } }))
}

/** Answers why it was refused, in sentences, for the place where it was asked. */
export async function release(box: BoxDetails, number: string): Promise<void> {
  const yes = await confirm({
    title: `Release ${number}?`,
    sentences: releaseConsequences(box, number),
    verb: `Release ${number}`
  })
  if (yes) await ask('version.release', versionRefOf(box, number))
}

export async function revoke(box: BoxDetails, number: string): Promise<void> {
  const yes = await confirm({
    title: `Revoke ${number}?`,
    sentences: revokeConsequences(box, number),
    verb: `Revoke ${number}`,
    danger: true
  })
  if (yes) await ask('version.revoke', versionRefOf(box, number))
}

export async function removeVersion(box: BoxDetails, version: VersionDetails): Promise<void> {
  const yes = await confirm({
    title: `Delete ${tagOf(box)} ${version.number}?`,
    sentences: removeVersionConsequences(box, version),
    verb: `Delete ${version.number}`,
    danger: true
  })
  if (!yes) return
  const removed = await attempt(() => ask('version.remove', versionRefOf(box, version.number)))
  if (removed) offerUndo(removed)
}

export async function removeImage(image: ImageRef): Promise<void> {
  const removed = await attempt(() => ask('image.remove', image))
  if (removed) offerUndo(removed)
}

export async function makeDefault(image: ImageRef): Promise<void> {
  await attempt(() => ask('image.change', { ...image, changes: { isDefault: true } }))
}

/** For menus, which are gone before they could say so themselves. */
export async function copy(text: string, what: string): Promise<void> {
  if (await copyText(text)) toast('info', `Copied ${what}.`)
}

/** The address under which clients fetch an image's file. */
export const imageAddress = (
  serverUrl: string,
  box: BoxDetails,
  version: Pick<VersionDetails, 'number'>,
  image: Pick<ImageDetails, 'provider' | 'architecture'>
): string => {
  const ref = imageRefOf(box, version, image)
  const parts = [
    ref.organization,
    'boxes',
    ref.box,
    'versions',
    ref.version,
    'providers',
    ref.provider,
    ref.architecture
  ]
  return `${serverUrl}/${parts.map(encodeURIComponent).join('/')}/vagrant.box`
}
