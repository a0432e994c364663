import type { DeskEventName, Refusal } from '../../src-main/contract/desk.ts'
import { onEvent, onLost, Refused } from '../api.ts'

/** Something read from the product that stays true: it is read again whenever an event says it may have changed. */
export interface Live<T> {
  /** Undefined until it was read for the first time; kept while it is read again. */
  readonly value: T | undefined
  /** Why it could not be read last time. */
  readonly problem: Refusal | null
  refresh(): void
}

/**
 * To be called while a component is made. State that `read` touches before its first await is followed: when it
 * changes, what was read for the old one is never shown again.
 */
export function live<T>(read: () => Promise<T>, events: readonly DeskEventName[] = ['changed']): Live<T> {
  let value = $state.raw<T>()
  let problem = $state.raw<Refusal | null>(null)
  let asked = $state(0)
  let turn = 0
  let lastAsked = 0
  /** Answers to earlier turns are not shown any more: a later one is, or they were for other state. */
  let shownFrom = 0
  const refresh = (): void => void (asked += 1)

  $effect(() => {
    const mine = (turn += 1)
    // What changes all the time while it is slow to read is shown as of each reading, not never.
    if (asked === lastAsked) shownFrom = mine
    lastAsked = asked
    const settle = (apply: () => void): void => {
      if (mine < shownFrom) return
      shownFrom = mine
      apply()
    }
    read().then(
      (answer) =>
        settle(() => {
          value = answer
          problem = null
        }),
      (error: unknown) => settle(() => (problem = refusalOf(error)))
    )
  })
  $effect(() => {
    const ends = [...events.map((name) => onEvent(name, refresh)), onLost(refresh)]
    return () => ends.forEach((end) => end())
  })
  return {
    get value() {
      return value
    },
    get problem() {
      return problem
    },
    refresh
  }
}

export const refusalOf = (error: unknown): Refusal =>
  error instanceof Refused ? error.refusal : { kind: 'fault', sentences: [String(error)] }
