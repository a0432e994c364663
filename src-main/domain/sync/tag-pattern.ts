import { Problem } from '../problem.ts'
import { nameFault } from '../names.ts'

/** A pattern of tags, "acme/base-*": each star stands for any letters, and none for the slash. */
export interface TagPattern {
  /** The one organization it is about; null when it has stars there. */
  readonly organization: string | null
  matches(organization: string, box: string): boolean
}

/** Reads a pattern; throws a Problem that says how one is written. */
export function tagPattern(text: string): TagPattern {
  const [organization, box, ...more] = text.trim().split('/')
  if (!organization || !box || more.length > 0)
    throw new Problem(
      'invalid',
      `"${text}" names no boxes; it is written as ORGANIZATION/BOX, and a star stands for any letters: acme/* or */base.`
    )
  check('The name of the organization', organization)
  check('The name of the box', box)
  return {
    organization: organization.includes('*') ? null : organization,
    matches: (...tag) => matches(organization, tag[0]) && matches(box, tag[1])
  }
}

/** What is left without the stars has to be what names are made of; after a star it need not begin as a name does. */
function check(what: string, part: string): void {
  const letters = part.replaceAll('*', '')
  const asName = part === letters ? letters : `a${letters.slice(1)}`
  if (nameFault(what, asName) === null) return
  throw new Problem(
    'invalid',
    `${what} "${part.slice(0, longestShown)}" cannot be one, whatever its stars stand for: names hold letters, digits, ".", "_" and "-".`
  )
}
const longestShown = 100

/** Each text between two stars is taken at its first place: never looks back, however many stars there are. */
function matches(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.toLowerCase().split('*')
  const text = name.toLowerCase()
  const last = rest.pop()
  if (last === undefined) return text === first
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length)
    return false
  const end = text.length - last.length
  let from = first.length
  for (const part of rest) {
    const at = text.indexOf(part, from)
    if (at === -1 || at + part.length > end) return false
    from = at + part.length
  }
  return true
}
