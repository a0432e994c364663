import { Problem } from '../domain/problem.ts'

/** A box as it is named on the command line. */
export interface NamedBox {
  readonly organization: string
  readonly box: string
}

/** Reads ORGANIZATION/BOX. */
export function namedBox(text: string): NamedBox {
  const [organization, box, ...more] = text.split('/')
  if (!organization || !box || more.length > 0)
    throw new Problem('invalid', `"${text}" is not the name of a box; it is written as ORGANIZATION/BOX.`)
  return { organization, box }
}

/** Reads ORGANIZATION/BOX, or ORGANIZATION/BOX@VERSION for one of its versions alone. */
export function namedVersion(text: string): NamedBox & { readonly version?: string } {
  const at = text.lastIndexOf('@')
  if (at === -1) return namedBox(text)
  const version = text.slice(at + 1)
  if (version === '')
    throw new Problem('invalid', `"${text}" names no version after the "@"; leave that out for all of them.`)
  return { ...namedBox(text.slice(0, at)), version }
}
