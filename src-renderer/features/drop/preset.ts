import type { ArrivalDraft } from '../../../src-main/contract/arrivals.ts'

/** What is already known of files: the box they are for, the version. */
export type Preset = Partial<ArrivalDraft>

const named = ['organization', 'name', 'version', 'provider', 'architecture'] as const

/** What an address says of the files that will be added at it: "?organization=acme&name=base". Null for nothing. */
export function presetOf(query: URLSearchParams): Preset | null {
  const known = named.flatMap((field) => {
    const value = query.get(field)
    return value === null || value === '' ? [] : [[field, value.slice(0, 1000)] as const]
  })
  return known.length === 0 ? null : Object.fromEntries(known)
}

/** "acme/base 1.2.0 for virtualbox on amd64" */
export function presetWords({ organization, name, version, provider, architecture }: Preset): string {
  const box = [organization, name].filter((part) => part !== undefined).join('/')
  const parts = [box, version, provider && `for ${provider}`, architecture && `on ${architecture}`]
  return parts.filter((part) => part !== undefined && part !== '').join(' ')
}
