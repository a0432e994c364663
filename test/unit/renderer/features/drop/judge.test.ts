import { describe, expect, it } from 'vitest'
import { judge, namedIn } from '../../../../../src-renderer/features/drop/judge.ts'

const file = (type = '') => ({ kind: 'file', type })

describe('what is said while files are dragged', () => {
  it.each([
    { dragged: [file()], valid: true, says: 'Drop to add it' },
    { dragged: [file(), file('application/gzip'), file()], valid: true, says: 'Drop 3 files to add them' },
    { dragged: [file(), file('image/png')], valid: true, says: 'One other cannot be a box file' },
    {
      dragged: [file(), file('image/png'), file('text/plain')],
      valid: true,
      says: '2 others cannot be box files'
    },
    { dragged: [file('image/png')], valid: false, says: 'This is a picture; box files end in .box.' },
    {
      dragged: [file('image/png'), file('image/jpeg')],
      valid: false,
      says: 'These are pictures; box files end in .box.'
    },
    {
      dragged: [file('image/png'), file('video/mp4')],
      valid: false,
      says: 'None of these is a box file; box files end in .box.'
    },
    { dragged: [{ kind: 'string', type: 'text/uri-list' }], valid: true, says: 'Drop to add this address' }
  ])('$says', ({ dragged, valid, says }) => {
    const verdict = judge(dragged)
    expect(verdict?.valid).toBe(valid)
    expect(`${verdict?.title} ${verdict?.detail}`).toContain(says)
  })

  it.each([{ dragged: [] }, { dragged: [{ kind: 'string', type: 'text/plain' }] }])(
    'is nothing for what is not ours: $dragged',
    ({ dragged }) => {
      expect(judge(dragged)).toBeNull()
    }
  )
})

describe('what a pasted text names', () => {
  it.each([
    { text: 'https://boxes.example/base.box', urls: ['https://boxes.example/base.box'] },
    { text: '  /boxes/base.box\n', paths: ['/boxes/base.box'] },
    { text: '"C:\\My boxes\\base.box"', paths: ['C:\\My boxes\\base.box'] },
    { text: '~/boxes', paths: ['~/boxes'] },
    { text: '\\\\server\\share\\base.box', paths: ['\\\\server\\share\\base.box'] },
    { text: 'file:///boxes/a%20b.box', paths: ['/boxes/a b.box'] },
    { text: 'file:///C:/boxes/base.box', paths: ['C:/boxes/base.box'] },
    { text: '# a comment\r\nhttp://a/b\r\n/c', urls: ['http://a/b'], paths: ['/c'] },
    { text: 'what is this', others: ['what is this'] },
    { text: 'javascript:alert(1)', others: ['javascript:alert(1)'] },
    { text: '' }
  ])('$text', ({ text, urls = [], paths = [], others = [] }) => {
    expect(namedIn(text)).toEqual({ urls, paths, others })
  })
})
