import { architectureFault } from '../domain/architecture.ts'
import { nameFault } from '../domain/names.ts'

/** What metadata.json of a box tells, as far as it is usable. */
export interface BoxMetadata {
  readonly provider: string | null
  readonly architecture: string | null
  readonly diskFormat: string | null
  /** Sentences about what is not usable. */
  readonly notes: readonly string[]
}

/** Whatever a stranger put there: nothing in it is believed before it has been checked. */
export function readBoxMetadata(bytes: Uint8Array): BoxMetadata {
  const metadata = parseObject(bytes)
  if (metadata === null)
    return {
      provider: null,
      architecture: null,
      diskFormat: null,
      notes: ['Its metadata.json is not a JSON object.']
    }
  const notes: string[] = []
  const text = (key: string, fault: (value: string) => string | null): string | null => {
    const value = metadata.get(key)
    if (value === undefined || value === null || value === '') return null
    if (typeof value === 'string' && fault(value) === null) return value
    notes.push(`The ${key} in its metadata.json is not usable.`)
    return null
  }
  const provider = text('provider', (value) => nameFault('The provider', value))
  const architecture = text('architecture', architectureFault)
  const diskFormat = text('format', (value) => (/^[A-Za-z0-9._-]{1,32}$/.test(value) ? null : 'unusual'))
  if (!metadata.has('provider')) notes.push('Its metadata.json names no provider.')
  return { provider, architecture, diskFormat, notes }
}

function parseObject(bytes: Uint8Array): Map<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
    return new Map(Object.entries(value))
  } catch {
    return null
  }
}
