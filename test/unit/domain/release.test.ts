import { describe, expect, it } from 'vitest'
import { releaseFault, revokeFault } from '../../../src-main/domain/release.ts'

const number = '1.2.3'
const empty = { url: null, blob: null }
const external = { url: 'http://example.test/x.box', blob: null }
const hosted = { url: null, blob: 'ab' }

describe('releasing a version', () => {
  it.each([
    ['unreleased', [hosted], null],
    ['unreleased', [empty, external], null],
    ['unreleased', [empty], /cannot be released before one of its providers/],
    ['unreleased', [], /cannot be released before one of its providers/],
    ['active', [hosted], /has already been released/],
    ['revoked', [hosted], /was revoked, which is final/]
  ] as const)('when %s with %j', (status, images, sentence) => {
    const fault = releaseFault({ number, status, images })
    if (sentence) expect(fault).toMatch(sentence)
    else expect(fault).toBeNull()
  })
})

describe('revoking a version', () => {
  it('is for active ones', () => expect(revokeFault({ number, status: 'active' })).toBeNull())
  it('is final', () => expect(revokeFault({ number, status: 'revoked' })).toMatch(/already been revoked/))
  it('is not for others', () =>
    expect(revokeFault({ number, status: 'unreleased' })).toMatch(/never released/))
})
