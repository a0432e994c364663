import type { Standing } from '../../../src-main/contract/standings.ts'

/** What a standing is called, and what it means at a remote of a name. */
export interface StandingWords {
  readonly word: string
  readonly means: (remoteName: string) => string
}

/** In the order they are shown: what waits for somebody first, what is in step last. */
export const standingWords: Readonly<Record<Standing, StandingWords>> = {
  apart: {
    word: 'Apart',
    means: (name) => `Both here and ${name} have changed, or the same version has other bytes.`
  },
  ahead: {
    word: 'Newer here',
    means: (name) => `Something here is not at ${name} yet.`
  },
  behind: {
    word: 'Newer there',
    means: (name) => `Something at ${name} is not here yet.`
  },
  'deleted-here': {
    word: 'Deleted here',
    means: (name) => `It was deleted here and is still at ${name}.`
  },
  'deleted-there': {
    word: 'Deleted there',
    means: (name) => `It is here, and no longer at ${name}.`
  },
  'only-here': {
    word: 'Only here',
    means: (name) => `It was never at ${name}.`
  },
  'only-there': {
    word: 'Only there',
    means: (name) => `It is at ${name}, and was never here.`
  },
  'in-step': {
    word: 'In step',
    means: (name) => `Nothing has to be brought from here to ${name} or back.`
  }
}

export const standingOrder = Object.keys(standingWords) as readonly Standing[]
