import type { Remote, RemoteFinding } from '../../../src-main/contract/remotes.ts'
import { capital, counted } from '../../app/format.ts'

/** "Registry, API v2" */
export const kindText = ({ kind, api }: Pick<Remote | RemoteFinding, 'kind' | 'api'>): string =>
  kind === 'folder' ? 'Folder' : `Registry, API ${api ?? 'unknown'}`

const tokenWords: Readonly<Record<Remote['token'], string>> = {
  none: 'None: public boxes alone',
  keychain: 'In the keychain of this computer',
  'this-run': 'Kept for this run only',
  environment: 'From the environment',
  lost: 'Lost: enter it again'
}
export const tokenText = (remote: Remote): string => tokenWords[remote.token]

/** How often a remote may be looked at. */
const intervals: readonly (number | null)[] = [null, 5, 15, 30, 60, 6 * 60, 24 * 60]

const lengthText = (minutes: number): string =>
  minutes % 1440 === 0
    ? counted(minutes / 1440, 'day')
    : minutes % 60 === 0
      ? counted(minutes / 60, 'hour')
      : counted(minutes, 'minute')

/** "every 6 hours"; "only by hand" */
export const everyText = (minutes: number | null): string =>
  minutes === null ? 'only by hand' : `every ${lengthText(minutes).replace(/^1 /, '')}`

/** As choices, also where what is set is none of the usual ones. */
export function intervalChoices(now: number | null): { value: string; label: string }[] {
  const all = intervals.includes(now) ? [...intervals] : [...intervals, now]
  return all
    .sort((a, b) => (a ?? 0) - (b ?? 0))
    .map((minutes) => ({ value: String(minutes), label: capital(everyText(minutes)) }))
}
export const intervalOf = (value: string): number | null => (value === 'null' ? null : Number(value))
