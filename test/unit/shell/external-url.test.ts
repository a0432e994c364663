import { describe, expect, it } from 'vitest'
import { externalUrl } from '../../../src-main/shell/external-url.ts'

describe('an address opened outside', () => {
  it.each([
    ['https://example.org', 'https://example.org/'],
    ['http://example.org/a?b=c&d=e#f', 'http://example.org/a?b=c&d=e#f'],
    ['HTTPS://EXAMPLE.org/Path', 'https://example.org/Path'],
    ['https://example.org:8443/', 'https://example.org:8443/'],
    ['http://127.0.0.1:7575/', 'http://127.0.0.1:7575/'],
    ['http://[::1]:7575/', 'http://[::1]:7575/'],
    ['https://example.org/@person', 'https://example.org/@person'],
    ['https://example.org/a%20b', 'https://example.org/a%20b'],
    ["https://example.org/it's", "https://example.org/it's"],
    ['https://xn--bcher-kva.example/', 'https://xn--bcher-kva.example/']
  ])('%s is handed to the system', (address, expected) => {
    expect(externalUrl(address)).toBe(expected)
  })

  it.each([
    [''],
    ['example.org'],
    ['//example.org'],
    ['/etc/passwd'],
    ['file:///etc/passwd'],
    ['file://server/share/run.exe'],
    ['smb://server/share'],
    ['\\\\server\\share'],
    ['javascript:alert(1)'],
    ['java\nscript:alert(1)'],
    ['data:text/html,hello'],
    ['vbscript:x'],
    ['mailto:somebody@example.org'],
    ['tel:110'],
    ['ftp://example.org/'],
    ['ms-msdt:/id'],
    ['search-ms:query=x'],
    ['boxyard://box/acme/base'],
    ['app://boxyard/'],
    ['about:blank'],
    ['blob:https://example.org/1'],
    ['view-source:https://example.org'],
    ['https:example.org'],
    ['https:/example.org'],
    ['https:///example.org'],
    ['https:\\\\example.org'],
    ['https://\\example.org'],
    [' https://example.org'],
    ['https://example.org/ --flag'],
    ['https://example.org/"quoted"'],
    ['https://example.org/`id`'],
    ['https://example.org/\u0000'],
    ['https://example.org/\u202egpj.exe'],
    ['https://user@example.org/'],
    ['https://user:password@example.org/'],
    ['https://example.org@evil.example/'],
    [`https://example.org/${'a'.repeat(2_048)}`],
    ['https://']
  ])('%s is not', (address) => {
    expect(externalUrl(address)).toBeNull()
  })
})
