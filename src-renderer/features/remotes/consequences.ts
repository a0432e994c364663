import type { Remote } from '../../../src-main/contract/remotes.ts'
import { counted } from '../../app/format.ts'

/** What removing it means, a sentence each. */
export function removeConsequences(
  remote: Pick<Remote, 'name' | 'token'>,
  mirrors: number,
  underWay: number
): string[] {
  return [
    `Nothing is deleted at ${remote.name}, and no box here goes.`,
    'Boxes that are mirrored from it become boxes of your own: they stay as they are, and no longer follow it.',
    [
      ...(remote.token === 'keychain' ? ['Its token is deleted from the keychain.'] : []),
      ...(mirrors > 0
        ? [`${counted(mirrors, 'mirror rule')} ${mirrors === 1 ? 'goes' : 'go'} with it.`]
        : []),
      ...(underWay > 0
        ? [`${counted(underWay, 'transfer')} ${underWay === 1 ? 'is' : 'are'} cancelled.`]
        : [])
    ].join(' '),
    'What both agreed on is forgotten: added again, everything is compared anew.'
  ].filter((sentence) => sentence !== '')
}
