import { untrack } from 'svelte'
import type { Refusal } from '../../../src-main/contract/desk.ts'
import type { ConflictChoice, SyncPlanView, SyncRequest } from '../../../src-main/contract/sync.ts'
import type { RemoteTransfer } from '../../../src-main/contract/transfers.ts'
import { ask, onEvent, onLost } from '../../api.ts'
import { refusalOf } from '../../app/live.svelte.ts'
import { attempt } from '../../app/toasts.svelte.ts'

/** What would be done between here and a remote, what the person leaves out of it and what they choose. */
export interface Planning {
  /** What was asked for last; undefined until it was answered for the first time. Kept while it is asked again. */
  readonly plan: SyncPlanView | undefined
  /** Why there is no plan, or not as things are now. */
  readonly problem: Refusal | null
  /** It takes so long that the person should see it: a remote may be far away. */
  readonly slow: boolean
  /** What is to be started: what was wanted, without what is left out and with what was chosen. */
  readonly request: SyncRequest | null
  /** How many steps there are to do, and their bytes, without those left out. */
  readonly steps: number
  readonly bytes: number
  /** How many conflicts nobody has decided yet. */
  readonly undecided: number
  /** Whether starting it does anything, as far as is known. */
  readonly worthwhile: boolean
  isLeftOut(key: string): boolean
  chosen(key: string): ConflictChoice | null
  leaveOut(key: string, out: boolean): void
  choose(key: string, choice: ConflictChoice): void
  refresh(): void
  /** Puts it into the queue; undefined when that was refused, which was said then. */
  start(): Promise<readonly RemoteTransfer[] | undefined>
}

/** What takes longer is shown to be under way. */
const patienceMs = 400
/** After a change of the very box it is asked again soon; while others change, which nobody can tell apart, seldom. */
const soonMs = 500
const seldomMs = 15_000

/**
 * To be called while a component is made. State that `wanted` reads is followed; null asks for nothing. Of another box,
 * remote or direction nothing is left out and nothing chosen.
 */
export function followPlan(wanted: () => SyncRequest | null): Planning {
  let leftOut = $state.raw<ReadonlySet<string>>(new Set())
  let choices = $state.raw<Readonly<Record<string, ConflictChoice>>>({})
  let plan = $state.raw<SyncPlanView>()
  let problem = $state.raw<Refusal | null>(null)
  let slow = $state(false)
  let asked = $state(0)
  let subject: string | null = null
  let turn = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const request = $derived.by((): SyncRequest | null => {
    const base = wanted()
    if (!base) return null
    return {
      ...base,
      ...(leftOut.size > 0 && { leftOut: [...leftOut] }),
      ...(Object.keys(choices).length > 0 && { choices })
    }
  })

  $effect(() => {
    const base = wanted()
    const next = base && JSON.stringify([base.direction, base.remoteId, base.organization, base.box])
    if (next === subject) return
    subject = next
    untrack(() => {
      leftOut = new Set()
      choices = {}
      plan = undefined
      problem = null
    })
  })

  $effect(() => {
    void asked
    const mine = (turn += 1)
    if (!request) return
    const patience = setTimeout(() => mine === turn && (slow = true), patienceMs)
    ask('sync.plan', request)
      .then(
        (answer) => {
          if (mine !== turn) return
          plan = answer
          problem = null
        },
        (error: unknown) => {
          if (mine === turn) problem = refusalOf(error)
        }
      )
      .finally(() => {
        clearTimeout(patience)
        if (mine === turn) slow = false
      })
  })

  const refresh = (): void => void (asked += 1)
  $effect(() => {
    let due = Infinity
    const later = (wait: number): void => {
      if (Date.now() + wait >= due) return
      clearTimeout(timer)
      due = Date.now() + wait
      timer = setTimeout(() => {
        due = Infinity
        refresh()
      }, wait)
    }
    const ends = [
      onEvent('changed', ({ boxes }) => {
        const tag = untrack(() => plan && `${plan.organization}/${plan.box}`)
        if (boxes === null) later(seldomMs)
        else if (tag !== undefined && boxes.includes(tag)) later(soonMs)
      }),
      onLost(refresh)
    ]
    return () => {
      turn += 1
      clearTimeout(timer)
      ends.forEach((end) => end())
    }
  })

  const isLeftOut = (key: string): boolean => leftOut.has(key)
  const chosen = (key: string): ConflictChoice | null =>
    choices[key] ?? plan?.conflicts.find((conflict) => conflict.key === key)?.chosen ?? null
  const todo = $derived((plan?.steps ?? []).filter((step) => !step.leftOut && !leftOut.has(step.key)))
  const undecided = $derived((plan?.conflicts ?? []).filter(({ key }) => chosen(key) === null).length)

  return {
    get plan() {
      return plan
    },
    get problem() {
      return problem
    },
    get slow() {
      return slow
    },
    get request() {
      return request
    },
    get steps() {
      return todo.length
    },
    get bytes() {
      return todo.reduce((sum, { bytes }) => sum + bytes, 0)
    },
    get undecided() {
      return undecided
    },
    get worthwhile() {
      // Of a remote that was never seen nobody knows what there is to do; it is looked at when it answers.
      return todo.length > 0 || (plan?.conflicts.length ?? 0) > 0 || plan?.asSeenAt === 0
    },
    isLeftOut,
    chosen,
    leaveOut(key, out) {
      const next = new Set(leftOut)
      if (out) next.add(key)
      else next.delete(key)
      leftOut = next
    },
    choose: (key, choice) => void (choices = { ...choices, [key]: choice }),
    refresh,
    start: async () => {
      const now = request
      return now ? attempt(() => ask('sync.start', { requests: [now] })) : undefined
    }
  }
}
