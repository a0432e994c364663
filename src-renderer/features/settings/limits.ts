import { speed } from '../../app/format.ts'

/** An entry of a list to choose from. */
interface Option {
  readonly value: string
  readonly label: string
}

const unlimited = 'none'
const presets = [256e3, 512e3, 1e6, 2e6, 5e6, 10e6, 20e6, 50e6, 100e6]

/** What a speed can be limited to, the one that is set among them whatever it is. */
export function limitOptions(now: number | null): Option[] {
  const speeds = now === null || presets.includes(now) ? presets : [...presets, now].sort((a, b) => a - b)
  return [
    { value: unlimited, label: 'No limit' },
    ...speeds.map((bytes) => ({ value: String(bytes), label: speed(bytes) }))
  ]
}

export const limitValue = (limit: number | null): string => (limit === null ? unlimited : String(limit))
export const limitOf = (value: string): number | null => (value === unlimited ? null : Number(value))

/** "↑ 5.0 MB/s", for those that are limited; '' for none. */
export function limitsText(limits: {
  readonly uploadLimit: number | null
  readonly downloadLimit: number | null
}): string {
  const { uploadLimit, downloadLimit } = limits
  return [
    uploadLimit !== null && `↑ ${speed(uploadLimit)}`,
    downloadLimit !== null && `↓ ${speed(downloadLimit)}`
  ]
    .filter(Boolean)
    .join(' ')
}
