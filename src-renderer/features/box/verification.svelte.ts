import type { Answer } from '../../../src-main/contract/desk.ts'
import type { ImageRef } from '../../../src-main/contract/words.ts'
import { ask } from '../../api.ts'
import { attempt } from '../../app/toasts.svelte.ts'

/** What takes longer is shown to be under way. */
const patience = 1_000

/** Reads the file of one image again, and keeps what was found for as long as the image is shown. */
export class Verification {
  running = $state(false)
  /** Running for so long that the person should see it. */
  slow = $state(false)
  result = $state.raw<Answer<'image.verify'> | null>(null)

  async run(image: ImageRef): Promise<void> {
    if (this.running) return
    this.running = true
    this.result = null
    const timer = setTimeout(() => (this.slow = true), patience)
    this.result = (await attempt(() => ask('image.verify', image))) ?? null
    clearTimeout(timer)
    this.slow = false
    this.running = false
  }
}
