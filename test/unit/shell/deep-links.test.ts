import { describe, expect, it } from 'vitest'
import { placeOfLink } from '../../../src-main/shell/deep-links.ts'

describe('a link', () => {
  it.each([
    ['boxyard://box/acme/base', '/box/acme/base'],
    ['BOXYARD://box/acme/base', '/box/acme/base'],
    ['boxyard://box/acme/base/', '/box/acme/base'],
    ['boxyard://box/acme/base?version=1.2.0', '/box/acme/base?version=1.2.0'],
    ['boxyard://box/acme/base?version=1.2.0-rc.1', '/box/acme/base?version=1.2.0-rc.1'],
    ['boxyard://', '/library'],
    ['boxyard://library', '/library'],
    ['boxyard://storage/', '/storage'],
    ['boxyard://remotes', '/remotes'],
    ['boxyard://remotes/12', '/remotes/12'],
    ['boxyard://settings', '/settings']
  ])('%s leads to %s', (link, place) => {
    expect(placeOfLink(link)).toBe(place)
  })

  it.each([
    ['boxyard:box/acme/base'],
    ['https://box/acme/base'],
    ['boxyard://nowhere'],
    ['boxyard://settings/deeper'],
    ['boxyard://remotes/0'],
    ['boxyard://remotes/lab'],
    ['boxyard://remotes/12/mirrors'],
    ['boxyard://remotes/12?do=remove'],
    ['boxyard://remotes?do=add'],
    ['boxyard://settings?port=1'],
    ['boxyard://box'],
    ['boxyard://box/acme'],
    ['boxyard://box/acme/base/more'],
    ['boxyard://box//base'],
    ['boxyard://box/../settings'],
    ['boxyard://box/acme/..'],
    ['boxyard://box/acme/%2e%2e'],
    ['boxyard://box/acme/<b>'],
    ['boxyard://box/acme/base#x'],
    ['boxyard://box/acme/base?version='],
    ['boxyard://box/acme/base?version=1.0&x=1'],
    ['boxyard://box/acme/base?version=<script>'],
    ['boxyard://box/acme/base?delete=yes'],
    ['boxyard://user@box/acme/base'],
    [`boxyard://box/acme/${'a'.repeat(1_000)}`],
    ['']
  ])('%s leads nowhere', (link) => {
    expect(placeOfLink(link)).toBeNull()
  })
})
