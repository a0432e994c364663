import { InvalidArgumentError } from 'commander'
import { conflictChoices, type ConflictChoice } from '../contract/sync.ts'

/** Of an option that may be given several times. */
export const append = (value: string, all: readonly string[] = []): string[] => [...all, value]

const unitsInBytes: Readonly<Record<string, number>> = {
  '': 1,
  B: 1,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  KIB: 1024,
  MIB: 1024 ** 2,
  GIB: 1024 ** 3,
  TIB: 1024 ** 4
}

/** Reads a size as people write it; in bytes. */
export function size(text: string): number {
  const [, digits, unit = ''] = /^(\d{1,12}(?:\.\d{1,3})?) ?([a-z]{0,3})$/i.exec(text) ?? []
  const bytes = unitsInBytes[unit.toUpperCase()]
  if (digits === undefined || bytes === undefined)
    throw new InvalidArgumentError('It must be a size like 700MB, 5GB or 1.5GiB.')
  return Math.round(Number(digits) * bytes)
}

/** Reads KEY=CHOICE, as a plan names what has to be chosen; several of them add up. */
export function choice(
  text: string,
  all: Readonly<Record<string, ConflictChoice>> = {}
): Record<string, ConflictChoice> {
  const at = text.lastIndexOf('=')
  const chosen = conflictChoices.find((one) => one === text.slice(at + 1))
  if (at < 1 || !chosen)
    throw new InvalidArgumentError(`It must be KEY=CHOICE; a choice is ${conflictChoices.join(', ')}.`)
  return { ...all, [text.slice(0, at)]: chosen }
}
