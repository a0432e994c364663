import { Problem } from './problem.ts'

const pattern = /^[A-Za-z0-9][A-Za-z0-9._-]*$/
const longest = 128

/** First path segments the server answers itself, or will: an organization of that name could not be reached. */
const reserved = new Set(['api', 'upload', 'assets', 'ui', 'health', 'favicon.ico', 'robots.txt'])

/** Names are compared by this form and shown as they were written. */
export const nameKey = (name: string): string => name.toLowerCase()

/** The same for the same box, however its organization and name are written. */
export const tagKey = (organization: string, name: string): string =>
  `${nameKey(organization)}/${nameKey(name)}`

/** Says what is wrong with a name, in a sentence that starts with `what` ("The box name …"), or nothing. */
export function nameFault(what: string, name: string): string | null {
  if (name === '') return `${what} is missing.`
  if (name.length > longest) return `${what} is ${name.length} characters long; ${longest} is the most.`
  if (!pattern.test(name))
    return `${what} "${name}" may hold only letters, digits, ".", "_" and "-", and must begin with a letter or digit.`
  return null
}

function checkName(what: string, name: string): void {
  const fault = nameFault(what, name)
  if (fault) throw new Problem('invalid', fault)
}

/** Names that become the first part of a path: accounts and organizations. */
export function checkAccountName(what: string, name: string): void {
  checkName(what, name)
  if (reserved.has(nameKey(name)))
    throw new Problem('invalid', `${what} "${name}" is reserved; choose another.`)
}
