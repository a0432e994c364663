import type { MirrorRule } from '../../../src-main/contract/mirrors.ts'
import { bytes } from '../../app/format.ts'

const listText = (names: readonly string[], all: string): string =>
  names.length === 0 ? all : names.join(', ')

const versionsText = ({ newest, prereleases }: Pick<MirrorRule, 'newest' | 'prereleases'>): string => {
  if (newest === 0) return 'known, nothing fetched'
  const versions =
    newest === null ? 'all versions' : newest === 1 ? 'newest version' : `newest ${newest} versions`
  return `${versions}, ${prereleases ? 'with' : 'no'} prereleases`
}

/** "newest 3 versions, no prereleases · virtualbox · all architectures · files up to 4.0 GB" */
export const ruleText = (rule: MirrorRule): string =>
  [
    versionsText(rule),
    listText(rule.providers, 'all providers'),
    listText(rule.architectures, 'all architectures'),
    ...(rule.largestBytes === null ? [] : [`files up to ${bytes(rule.largestBytes)}`]),
    ...(rule.removeGone ? ['what is gone there goes here'] : [])
  ].join(' · ')
