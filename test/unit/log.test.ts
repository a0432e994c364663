import { expect, it } from 'vitest'
import { createLog } from '../../src-main/log.ts'

const written = (message: string, cause?: unknown): string => {
  let text = ''
  createLog((line) => (text += line)).error(message, cause)
  return text.replace(/^\S+ /, '')
}

it.each([
  { of: 'a plain message', message: 'it failed', says: 'error it failed\n' },
  {
    of: 'one that pretends to be two',
    message: 'it said "no\n2026-01-01T00:00:00.000Z info  all is well"',
    says: 'error it said "no\n      2026-01-01T00:00:00.000Z info  all is well"\n'
  },
  { of: 'one that moves the cursor', message: 'it\u001b[2Jfailed\r', says: 'error it?[2Jfailed?\n' }
])('a line of the log begins with its time, whatever is said in it: $of', ({ message, says }) => {
  expect(written(message)).toBe(says)
})

it('shows where a fault comes from', () => {
  const lines = written('it failed', new Error('of a fault')).split('\n')
  expect(lines[0]).toBe('error it failed: Error: of a fault')
  expect(lines[1]).toMatch(/^ {6}\s+at /)
})
