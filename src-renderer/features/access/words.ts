import type { Role } from '../../../src-main/contract/words.ts'

/** Each role, and what it allows in a line; each includes the ones before it. */
export const roleTexts: readonly { readonly role: Role; readonly label: string; readonly text: string }[] = [
  { role: 'viewer', label: 'Viewer', text: 'Sees and downloads private boxes.' },
  {
    role: 'contributor',
    label: 'Contributor',
    text: 'Also publishes, changes and releases; deletes versions, but no boxes.'
  },
  { role: 'admin', label: 'Admin', text: 'Also deletes boxes.' }
]

export const roleOptions = roleTexts.map(({ role, label }) => ({ value: role, label }))

export const roleLabel = (role: Role): string => roleTexts.find((text) => text.role === role)?.label ?? role

export const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
