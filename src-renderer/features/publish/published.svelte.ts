import type { Arrival } from '../../../src-main/contract/arrivals.ts'
import { ask } from '../../api.ts'
import { attempt, toast } from '../../app/toasts.svelte.ts'
import { counted } from '../../app/format.ts'
import { onSteps, takeIn } from '../transfers/transfers.svelte.ts'
import { editorOf } from './drafts.svelte.ts'

let list = $state.raw<readonly Arrival[]>([])
/** Those the person asked to be published, in this window. */
const asked = new Set<string>()

/** What was published from here, until the person has seen it. */
export const published = {
  get list(): readonly Arrival[] {
    return list
  },
  find: (id: string): Arrival | undefined => list.find((arrival) => arrival.id === id),
  dismiss(ids: readonly string[]): void {
    list = list.filter(({ id }) => !ids.includes(id))
  }
}

onSteps((steps) => {
  const done = steps
    .map(({ arrival }) => arrival)
    .filter(({ id, state }) => state === 'published' && asked.has(id))
  for (const { id } of done) asked.delete(id)
  if (done.length > 0) list = [...done, ...list]
})

/** Publishes each as soon as it has been read, once everything typed about it is saved. */
export async function publish(ids: readonly string[]): Promise<void> {
  await attempt(async () => {
    const saved = await Promise.all(ids.map((id) => editorOf(id).flush()))
    const sound = ids.filter((_, index) => saved[index])
    if (sound.length < ids.length)
      toast(
        'error',
        `${counted(ids.length - sound.length, 'file')} could not be saved, and nothing of it was published.`
      )
    if (sound.length === 0) return
    for (const id of sound) asked.add(id)
    takeIn(await ask('arrivals.publish', { ids: sound }))
  })
}
