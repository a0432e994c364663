import type { Refusal } from '../../src-main/contract/desk.ts'
import { announceLost, onRefused } from '../api.ts'
import { refusalOf } from './live.svelte.ts'
import { product, readStatus } from './product.svelte.ts'

let problem = $state.raw<Refusal | null>(null)
let checking = false
const retryMs = 1_000
const restingMs = 10_000

/** Whether the product answers. */
export const connection = {
  /** Why it does not, in sentences; null while it does. */
  get problem() {
    return problem
  }
}

const isBroken = ({ kind }: Refusal): boolean => kind === 'unavailable' || kind === 'unauthorized'

/**
 * Asks until there is an answer. A method that is refused while the product answers otherwise (a restore runs, say) is
 * its own affair.
 */
async function check(): Promise<void> {
  if (checking) return
  checking = true
  for (;;) {
    const refusal = await readStatus().then(
      () => null,
      (error: unknown) => refusalOf(error)
    )
    if (refusal === null || !isBroken(refusal)) break
    problem = refusal
    await new Promise((resolve) => setTimeout(resolve, retryMs))
  }
  checking = false
  if (problem === null) return
  problem = null
  announceLost()
}

/** Watches from now on. A page in a browser also asks now and then by itself: nobody tells it that the server is gone. */
export function watchConnection(): void {
  onRefused((refusal) => isBroken(refusal) && void check())
  setInterval(() => {
    if (product.about?.face !== 'desktop' && document.visibilityState === 'visible') void check()
  }, restingMs)
}
