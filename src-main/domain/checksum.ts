import { checksumTypes, type ChecksumType } from './model.ts'

/** What bytes are told apart by when a client asked for nothing else. */
const usualChecksumType: ChecksumType = 'sha256'

const hexDigits: Readonly<Record<ChecksumType, number>> = {
  md5: 32,
  sha1: 40,
  sha256: 64,
  sha384: 96,
  sha512: 128
}

/** What an image knows of checksums it was told, as opposed to those of the bytes that are here. */
export interface Declared {
  /** Null when nobody asked for a type. */
  readonly type: ChecksumType | null
  /** Of bytes that have yet to come, in that type: others are refused. */
  readonly expected: string | null
}

/** As a client sends it: null or absent leaves what is there, "" (and the type "none") takes it away. */
export interface ChecksumInput {
  readonly checksum?: string | null | undefined
  readonly checksumType?: string | null | undefined
}

export const nothingDeclared: Declared = { type: null, expected: null }

/** What is declared after `input`, or the sentences that say what is wrong with it. */
export function declare(current: Declared, input: ChecksumInput): Declared | { faults: readonly string[] } {
  const given = input.checksum?.trim().toLowerCase()
  const type = readType(input.checksumType)
  if (type === 'unknown')
    return {
      faults: [
        `The checksum type "${input.checksumType}" is not known; it must be one of ${checksumTypes.join(', ')}.`
      ]
    }
  if (given === undefined) return declareType(current, type)
  if (given === '') return { type: type === undefined ? current.type : type, expected: null }
  if (type === null)
    return { faults: [`A checksum needs its type; it must be one of ${checksumTypes.join(', ')}.`] }
  const inEffect = type ?? current.type ?? usualChecksumType
  const fault = checksumFault(given, inEffect)
  return fault ? { faults: [fault] } : { type: inEffect, expected: given }
}

function declareType(
  current: Declared,
  type: ChecksumType | null | undefined
): Declared | { faults: string[] } {
  if (type === undefined || type === current.type) return current
  if (type === null) return nothingDeclared
  if (current.expected !== null)
    return {
      faults: [
        `The checksum given before is of another type (${current.type}); give the ${type} checksum together with its type.`
      ]
    }
  return { type, expected: null }
}

/** Undefined leaves the type as it is, null takes it away. */
function readType(text: string | null | undefined): ChecksumType | null | undefined | 'unknown' {
  if (text === null || text === undefined) return undefined
  const name = text.trim().toLowerCase()
  if (name === '' || name === 'none') return null
  return checksumTypes.find((type) => type === name) ?? 'unknown'
}

function checksumFault(checksum: string, type: ChecksumType): string | null {
  if (/^[0-9a-f]+$/.test(checksum) && checksum.length === hexDigits[type]) return null
  return `The checksum "${checksum.slice(0, 140)}" is not a ${type} one, which has ${hexDigits[type]} hexadecimal digits.`
}

/** Which of several checksums of the same bytes is gone by: the usual one, else the longest; null when there is none. */
export function strongest(
  checksums: Readonly<Partial<Record<ChecksumType, string>>>
): { readonly type: ChecksumType; readonly value: string } | null {
  for (const type of [usualChecksumType, ...checksumTypes.toReversed()]) {
    const value = checksums[type]
    if (value !== undefined) return { type, value }
  }
  return null
}

/** The type in which arriving bytes have to be digested to be checked and shown. */
export const typeNeeded = ({ type }: Declared): ChecksumType => type ?? usualChecksumType

/** Says that bytes are not the ones that were declared, or nothing. */
export function mismatch(
  { type, expected }: Declared,
  checksums: Readonly<Partial<Record<ChecksumType, string>>>
): string | null {
  if (type === null || expected === null || checksums[type] === expected) return null
  return (
    `The ${type} checksum of the uploaded file is ${checksums[type]}, but ${expected} was declared for it. ` +
    'Nothing was changed; upload the right file, or declare the right checksum first.'
  )
}
