import { counted } from '../../app/format.ts'

const usual = [0, 1, 24, 72, 168, 720, 2160]

/** Times that deleted things are kept for, and the one that is set if it is none of the usual. */
export const graceOptions = (current: number): { value: string; label: string }[] =>
  [...new Set([...usual, current])]
    .sort((a, b) => a - b)
    .map((hours) => ({ value: String(hours), label: words(hours) }))

function words(hours: number): string {
  if (hours === 0) return 'Not at all'
  return hours >= 24 && hours % 24 === 0 ? counted(hours / 24, 'day') : counted(hours, 'hour')
}
