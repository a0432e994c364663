import type { ArrivalDraft } from '../../../src-main/contract/arrivals.ts'

type Field = keyof ArrivalDraft

/** How sentences begin that are about a field. */
const beginnings: readonly (readonly [beginning: RegExp, field: Field])[] = [
  [/^(The organization\b|There is no organization\b)/, 'organization'],
  [/^The box name\b/, 'name'],
  [/^(The version\b|Version\b)/, 'version'],
  [/^The provider\b/, 'provider'],
  [/^The architecture\b/, 'architecture'],
  [/^The short description\b/, 'shortDescription'],
  [/^The description\b/, 'versionDescription'],
  [/^The (\w+ )?checksum\b/, 'checksum']
]

/** Problems, each at the field it is about; the others are about the whole. */
export interface Faults {
  readonly fields: Readonly<Partial<Record<Field, string>>>
  readonly others: readonly string[]
}

/** `shown` are the fields there are to say something at. */
export function sortFaults(problems: readonly string[], shown: ReadonlySet<Field>): Faults {
  const fields: Partial<Record<Field, string>> = {}
  const others: string[] = []
  for (const problem of problems) {
    const field = beginnings.find(([beginning]) => beginning.test(problem))?.[1]
    if (field === undefined || !shown.has(field)) others.push(problem)
    else fields[field] = [fields[field], problem].filter(Boolean).join(' ')
  }
  return { fields, others }
}
