import type { Job } from '../../../src-main/contract/storage.ts'
import { counted } from '../../app/format.ts'

const jobs = {
  verify: {
    running: 'Verifying every file',
    done: 'Everything was verified',
    failed: 'Verifying did not end well',
    cancelled: 'Verifying was cancelled'
  },
  'clean-up': {
    running: 'Cleaning up',
    done: 'Cleaned up',
    failed: 'The clean-up was not done',
    cancelled: 'The clean-up was cancelled'
  },
  'back-up': {
    running: 'Backing up',
    done: 'The backup is made',
    failed: 'The backup was not made',
    cancelled: 'The backup was cancelled'
  },
  restore: {
    running: 'Restoring the backup',
    done: 'The backup is restored',
    failed: 'The backup was not restored',
    cancelled: 'Restoring was cancelled'
  }
} as const

/** What a job does, or came to, in a few words. */
export function headingOf({ job, state, problems }: Job): string {
  if (job === 'verify' && state !== 'failed' && state !== 'cancelled' && problems.length > 0)
    return state === 'running' ? jobs.verify.running : 'Verified: not everything is sound'
  return jobs[job][state]
}

/** How good it is, for a sentence that appears by itself. */
export const kindOf = ({ state, problems }: Job): 'info' | 'success' | 'warning' | 'error' => {
  if (state === 'failed') return 'error'
  if (problems.length > 0) return 'warning'
  return state === 'cancelled' ? 'info' : 'success'
}

/** How old something has to be that a clean-up may remove, in hours. */
const graces = [
  { value: String(1 / 60), label: 'a minute' },
  { value: '1', label: 'an hour' },
  { value: '24', label: 'a day' },
  { value: '168', label: 'a week' },
  { value: '720', label: '30 days' }
] as const

const lengthOf = (hours: number): string => {
  if (hours === 0) return 'no time at all'
  return hours >= 24 && hours % 24 === 0 ? counted(hours / 24, 'day') : counted(hours, 'hour')
}

/** As a choice, also where the settings hold a time that is none of the usual ones. */
export function gracesWith(hours: number): { value: string; label: string }[] {
  const own = String(hours)
  const rest = graces.filter(({ value }) => value !== own)
  const found = graces.find(({ value }) => value === own) ?? { value: own, label: lengthOf(hours) }
  return [...rest, found].sort((a, b) => Number(a.value) - Number(b.value))
}

/** Joins a folder and a name as the folder's own system does. */
export const inFolder = (folder: string, ...names: string[]): string =>
  [folder, ...names].join(folder.includes('\\') && !folder.includes('/') ? '\\' : '/')

/** "boxyard-2026-01-31-0915.tar": another one on the same day has another name. */
export function backupName(now: Date): string {
  const two = (number: number): string => String(number).padStart(2, '0')
  const day = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
  return `boxyard-${day}-${two(now.getHours())}${two(now.getMinutes())}.tar`
}
