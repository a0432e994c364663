import { describe, expect, it } from 'vitest'
import { turnedAway } from '../../../src-main/web/admission.ts'

const port = 4711
const own = `127.0.0.1:${port}`
const statusOf = (url: string, headers: Record<string, string>): number | null =>
  turnedAway({ url, headers }, { port, urlLength: 100, isPage: !url.startsWith('/desk/') })?.status ?? null

describe('what is let in', () => {
  it.each([
    ['/', { host: own }],
    ['/', { host: `localhost:${port}` }],
    ['/', { host: `LocalHost:${port}` }],
    ['/', { host: `[::1]:${port}` }],
    ['/', { host: own, 'sec-fetch-site': 'none' }],
    ['/', { host: own, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }],
    ['/desk/call/about', { host: own, origin: `http://${own}`, 'sec-fetch-site': 'same-origin' }],
    ['/desk/call/about', { host: `localhost:${port}`, origin: `http://localhost:${port}` }],
    ['/desk/events', { host: own, 'sec-fetch-site': 'same-origin' }],
    ['/desk/events', { host: own }]
  ])('%s with %j', (url, headers) => expect(statusOf(url, headers)).toBeNull())
})

describe('what another site may have caused', () => {
  it.each([
    [421, '/', {}],
    [421, '/', { host: 'evil.example' }],
    [421, '/', { host: `evil.example:${port}` }],
    [421, '/', { host: '127.0.0.1' }],
    [421, '/', { host: '127.0.0.1:4712' }],
    [421, '/', { host: `${own}.evil.example` }],
    [421, '/', { host: `127.0.0.1.evil.example:${port}` }],
    [421, '/', { host: `evil@${own}` }],
    [421, '/', { host: `0.0.0.0:${port}` }],
    [421, '/', { host: '' }],
    [403, '/', { host: own, origin: 'http://evil.example' }],
    [403, '/', { host: own, origin: 'null' }],
    [403, '/desk/call/about', { host: own, origin: 'http://127.0.0.1:4712' }],
    [403, '/desk/call/about', { host: own, origin: `https://${own}` }],
    [403, '/desk/call/about', { host: own, origin: `http://localhost:${port}` }],
    [403, '/desk/call/about', { host: own, 'sec-fetch-site': 'cross-site' }],
    [403, '/desk/call/about', { host: own, 'sec-fetch-site': 'same-site' }],
    [403, '/desk/events', { host: own, 'sec-fetch-site': 'same-site' }],
    [414, `/${'x'.repeat(100)}`, { host: own }]
  ])('is turned away with %i: %s with %j', (status, url, headers) =>
    expect(statusOf(url, headers as Record<string, string>)).toBe(status)
  )
})
