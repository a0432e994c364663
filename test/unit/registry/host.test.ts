import { describe, expect, it } from 'vitest'
import { hostCheck } from '../../../src-main/registry/host.ts'

describe('hostCheck', () => {
  const isOwn = hostCheck(['Lab.example', 'other.example:8080', '[fe80::1]'])

  it.each([
    '127.0.0.1',
    '127.0.0.1:7575',
    'localhost',
    'LOCALHOST:1',
    '[::1]',
    '[::1]:65535',
    'lab.example',
    'LAB.EXAMPLE:99',
    'other.example:8080',
    '[fe80::1]:7575'
  ])('%s is this server', (host) => expect(isOwn(host)).toBe(true))

  it.each([
    undefined,
    '',
    'evil.example',
    'localhost.evil.example',
    'evil.example:80@localhost',
    'localhost@evil.example',
    'localhost evil.example',
    'localhost,evil.example',
    'localhost:',
    'localhost:x',
    'localhost:123456',
    'localhost/',
    'localhost"><script>',
    '127.0.0.2',
    '0.0.0.0',
    '[::]',
    '::1',
    'other.example',
    'other.example:8081',
    '127.0.0.1.'
  ])('%s is not', (host) => expect(isOwn(host)).toBe(false))
})
