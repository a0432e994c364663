import type { Refusal } from './collect.ts'

const most = 100
let list = $state.raw<readonly Refusal[]>([])

/** What was dropped and not added, until the person has seen it. */
export const refusedDrops = {
  get list(): readonly Refusal[] {
    return list
  },
  add(refused: readonly Refusal[]): void {
    list = [...refused, ...list].slice(0, most)
  },
  clear(): void {
    list = []
  }
}
