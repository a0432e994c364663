import { capital } from '../../contract/sentences.ts'
import { descriptionFault, shortDescriptionFault } from '../texts.ts'
import { textClash } from './conflicts.ts'
import type { Findings } from './findings.ts'
import type { SyncPlanInput } from './plan-types.ts'
import type { BoxTexts } from './snapshot.ts'
import { fieldText, type Words } from './words.ts'

type Text = string | boolean

/** What becomes of one text both sides have: changed at the target, left, or to be decided. */
export type TextVerdict = 'change' | 'leave' | 'target-changed' | 'clash'

/** Three-way: whoever changed it since both agreed is right; an empty text gives way to one that says something. */
export function judgeText(source: Text, target: Text, agreed: Text | undefined): TextVerdict {
  if (source === target) return 'leave'
  if (agreed !== undefined && source === agreed) return 'target-changed'
  if (agreed !== undefined && target === agreed) return 'change'
  if (source === '') return 'leave'
  return target === '' ? 'change' : 'clash'
}

const fields = ['shortDescription', 'description', 'private'] as const

/** Which texts of a box that is at both sides have to be changed at the target. */
export function changedTexts({ input, words, notes, conflicts }: Findings): Partial<BoxTexts> {
  const { source, base, target } = input
  const changed: { shortDescription?: string; description?: string; private?: boolean } = {}
  if (!source || !target) return changed
  for (const field of fields) {
    const verdict = judgeText(source[field], target[field], base?.[field])
    if (verdict === 'leave') continue
    if (verdict === 'target-changed') {
      notes.add(`${capital(fieldText(field))} was changed ${words.atTarget} and stays as it is there.`)
      continue
    }
    const fault = faultOf(field, source[field], input, words)
    if (fault !== null) {
      notes.add(fault)
      continue
    }
    if (verdict === 'clash') {
      const sides = {
        source: source[field],
        target: target[field],
        wasAgreed: base?.[field] !== undefined
      }
      const chosen = conflicts.add(textClash(field, null, sides, words))
      if (chosen !== (words.isPublish ? 'ours' : 'theirs')) continue
    }
    Object.assign(changed, { [field]: source[field] })
  }
  return changed
}

/** The texts a box is made with at the target: those it does not take are left out. */
export function firstTexts(source: BoxTexts, { input, words, notes }: Findings): BoxTexts {
  const taken = (field: 'shortDescription' | 'description'): string => {
    const fault = faultOf(field, source[field], input, words)
    if (fault !== null) notes.add(fault)
    return fault === null ? source[field] : ''
  }
  return {
    shortDescription: taken('shortDescription'),
    description: taken('description'),
    private: source.private
  }
}

/** Says why the target does not take a text, or nothing. */
function faultOf(
  field: keyof BoxTexts,
  text: Text,
  { traits, direction }: Pick<SyncPlanInput, 'traits' | 'direction'>,
  { remote }: Words
): string | null {
  if (typeof text === 'boolean') return null
  if (direction === 'publish') {
    if (field !== 'shortDescription' || [...text].length <= traits.longestShortDescription) return null
    return (
      `The short description is left out: ${remote} takes ${traits.longestShortDescription} characters; ` +
      `shorten it, it has ${[...text].length}.`
    )
  }
  const fault = field === 'shortDescription' ? shortDescriptionFault(text) : descriptionFault(text)
  return fault && `Left out here: ${fault}`
}
