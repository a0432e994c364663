import type { Refusal } from '../../src-main/contract/desk.ts'
import type { Remote } from '../../src-main/contract/remotes.ts'
import { ask, onEvent, onLost } from '../api.ts'
import { refusalOf } from './live.svelte.ts'

let known = $state.raw<readonly Remote[]>()
let problem = $state.raw<Refusal | null>(null)
let reading = false
let again = false

/** Those that can do nothing before the person has done something. */
const needsPerson = ({ health, token }: Remote): boolean =>
  health === 'refused' || health === 'billing' || health === 'another' || token === 'lost'
const needy = $derived((known ?? []).filter(needsPerson).length)

/** The other places that keep boxes, for the whole interface: read once, then again whenever something changed. */
export const remotes = {
  get list(): readonly Remote[] {
    return known ?? []
  },
  /** Whether they were read at all; before that, nothing there means nothing. */
  get isKnown(): boolean {
    return known !== undefined
  },
  get problem(): Refusal | null {
    return problem
  },
  /** How many wait for the person. */
  get needy(): number {
    return needy
  },
  find: (id: number): Remote | undefined => known?.find((remote) => remote.id === id)
}

/** Reads them; what a call to it changed is there once it resolves. */
export async function readRemotes(): Promise<void> {
  if (reading) {
    again = true
    return
  }
  reading = true
  try {
    known = await ask('remotes', {})
    problem = null
  } catch (error) {
    problem = refusalOf(error)
  } finally {
    reading = false
  }
  if (again) {
    again = false
    await readRemotes()
  }
}

/** Reads them, and follows what changes from then on. */
export async function followRemotes(): Promise<void> {
  onEvent('changed', () => void readRemotes())
  onLost(() => void readRemotes())
  await readRemotes()
}
