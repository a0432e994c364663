import { counted } from '../../src-main/contract/counted.ts'
import { capital } from '../../src-main/contract/sentences.ts'
import { sizeText } from '../../src-main/contract/size-text.ts'

export { capital, counted, sizeText as bytes }

export const speed = (bytesPerSecond: number): string => `${sizeText(bytesPerSecond)}/s`

/** Whole numbers with separators: 12,345 */
export const count = (value: number): string => value.toLocaleString('en')

const steps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['week', 7 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000]
]
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** "3 days ago"; within a minute "just now". */
export function ago(time: number, now = Date.now()): string {
  const difference = time - now
  for (const [unit, length] of steps)
    if (Math.abs(difference) >= length) return relative.format(Math.trunc(difference / length), unit)
  return 'just now'
}

const exact = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short' })
/** For the hover of a relative time. */
export const exactTime = (time: number): string => exact.format(time)

/** "3 min left", of seconds. */
export function timeLeft(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))} s left`
  if (seconds < 3600) return `${Math.round(seconds / 60)} min left`
  return `${(seconds / 3600).toFixed(1)} h left`
}

/** "in 24 s", of what happens by itself; "now" once it is due. */
export function inTime(time: number, now = Date.now()): string {
  const seconds = Math.ceil((time - now) / 1000)
  if (seconds <= 0) return 'now'
  if (seconds < 60) return `in ${seconds} s`
  if (seconds < 3600) return `in ${Math.round(seconds / 60)} min`
  return `in ${(seconds / 3600).toFixed(1)} h`
}

/** Keeps both ends of a long name: "a948904f2f0f…93fbc0f5". */
export function middle(text: string, start: number, end = start): string {
  return text.length <= start + end + 1 ? text : `${text.slice(0, start)}…${text.slice(-end)}`
}
