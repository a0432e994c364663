import { expect, it } from 'vitest'
import { removeConsequences } from '../../../../../src-renderer/features/remotes/consequences.ts'

it('says what goes with a remote, and what stays', () => {
  const sentences = removeConsequences({ name: 'Lab', token: 'keychain' }, 1, 2).join(' ')
  expect(sentences).toContain('Nothing is deleted at Lab')
  expect(sentences).toContain('become boxes of your own')
  expect(sentences).toContain('Its token is deleted from the keychain.')
  expect(sentences).toContain('1 mirror rule goes with it.')
  expect(sentences).toContain('2 transfers are cancelled.')
})

it('does not speak of what there is none of', () => {
  const sentences = removeConsequences({ name: 'Disk', token: 'none' }, 0, 0)
  expect(sentences.join(' ')).not.toMatch(/token|rule|transfer/)
  expect(sentences).not.toContain('')
})
