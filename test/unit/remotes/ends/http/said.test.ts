import { describe, expect, it } from 'vitest'
import type { FailureKind } from '../../../../../src-main/remotes/failure.ts'
import { failureOf, sentencesOf } from '../../../../../src-main/remotes/ends/http/said.ts'

const said = (status: number, more: object = {}) =>
  failureOf({
    ...{ status, host: 'reg.example', isJson: true, sentences: [], retryAfter: undefined, changes: true },
    ...more
  })

describe('a status', () => {
  it.each<[number, FailureKind]>([
    [400, 'refused'],
    [401, 'unauthorized'],
    [402, 'billing'],
    [403, 'forbidden'],
    [404, 'missing'],
    [405, 'refused'],
    [408, 'busy'],
    [409, 'refused'],
    [413, 'refused'],
    [421, 'refused'],
    [422, 'refused'],
    [429, 'rate-limited'],
    [500, 'busy'],
    [501, 'refused'],
    [502, 'busy'],
    [503, 'busy'],
    [504, 'busy'],
    [507, 'no-room'],
    [520, 'busy']
  ])('%i means %s, in whole sentences that name the place', (status, kind) => {
    const failure = said(status, { sentences: ['Theirs.'] })
    expect(failure.kind).toBe(kind)
    expect(failure.message).toContain('reg.example')
    for (const sentence of failure.sentences) expect(sentence).toMatch(/[.:]$/)
    expect(said(status).sentences.at(-1)).toMatch(/\.$/)
  })

  it.each([401, 402, 403, 404, 422])(
    '%i from something that is no registry means nothing of the kind',
    (status) => {
      expect(said(status, { isJson: false }).kind).toBe('odd')
    }
  )

  it.each([429, 500, 502, 503, 507])('%i from whatever stands before it means what it says', (status) => {
    expect(said(status, { isJson: false }).kind).toBe(said(status).kind)
  })

  it('leaves open whether something was changed only when it may have been', () => {
    const unsure = [422, 429, 500, 501, 502, 503, 504, 507].filter((status) => said(status).ambiguous)
    expect(unsure).toEqual([500, 502, 503, 504])
    expect(said(503, { changes: false }).ambiguous).toBe(false)
  })

  it('says when to come back', () => {
    expect([
      said(429, { retryAfter: '3' }).retryAfter,
      said(503, { retryAfter: '4' }).retryAfter,
      said(429).retryAfter
    ]).toEqual([3000, 4000, null])
  })
})

describe('what a remote says', () => {
  it.each<[unknown, string[]]>([
    [{ errors: ['One.', 'Two'] }, ['One.', 'Two.']],
    [{ errors: 'alone' }, ['alone.']],
    [{ errors: [{ name: 'is taken', size: 7 }] }, ['name is taken, size 7.']],
    [{ errors: ['1', '2', '3', '4', '5'] }, ['1.', '2.', '3.']],
    [
      { errors: [{ name: ['is taken', 'is short'] }, { size: null }] },
      ['name is taken, is short.', 'size null.']
    ],
    [{ errors: [{ name: [{ deep: 1 }] }, { size: { most: 7 } }] }, ['name …', 'size …']],
    [{ errors: ['', '  ', null, 7, []] }, []],
    [{ errors: ['tabs\tand\r\nlines\u0007\u202e'] }, ['tabs and lines.']],
    [{}, []],
    [null, []],
    ['text', []]
  ])('%j is passed on as %j', (json, sentences) => {
    expect(sentencesOf(json, null)).toEqual(sentences)
  })

  it('is passed on without the token, and no longer than anybody would read', () => {
    const [sentence = ''] = sentencesOf(
      { errors: [`bad SECRET and SECRET${' long'.repeat(1000)}`] },
      'SECRET'
    )
    expect(sentence).toMatch(/^bad … and … long/)
    expect(sentence.length).toBeLessThanOrEqual(300)
  })

  it('may be nested without end', () => {
    const depth = 100_000
    const errors = JSON.parse(`[{"name":${'['.repeat(depth)}${']'.repeat(depth)}}]`) as unknown
    expect(sentencesOf({ errors }, null)).toEqual(['name …'])
  })

  it('holds no part of the token where it is cut', () => {
    const cutWithin = `${' '.repeat(3000 - 3)}SECRET`
    expect(sentencesOf({ errors: [cutWithin, { name: cutWithin }] }, 'SECRET').join()).not.toContain('SEC')
  })
})
