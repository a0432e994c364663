import { describe, expect, it } from 'vitest'
import { renderMarkdown } from '../../../../../src-main/catalog/markdown.ts'
import { forPage, outsideAddress } from '../../../../../src-renderer/features/box/markdown.ts'

const shown = (markdown: string): string => forPage(renderMarkdown(markdown))

describe('a description on our page', () => {
  it('aligns columns by classes, since style attributes are refused', () => {
    const html = shown('| a | b |\n|:--|--:|\n| 1 | 2 |')
    expect(html).toContain('<th class="align-left">a</th>')
    expect(html).toContain('<td class="align-right">2</td>')
    expect(html).not.toContain('style=')
  })

  it('shows a picture by its words and loads nothing', () => {
    const html = shown('![Build <b> status](https://ci.example/a.svg?x=1&y=2) ![](https://ci.example/b.svg)')
    expect(html).not.toContain('<img')
    expect(html).toContain('<span class="picture" title="https://ci.example/a.svg?x=1&amp;y=2">')
    expect(html).toContain('>Picture</span>')
  })

  it.each([
    '![x" onload="alert(1)](https://e.example/a)',
    '![<script>alert(1)</script>](https://e.example/a)',
    '![](https://e.example/"onerror=alert(1))'
  ])('lets nothing slip in through %s', (markdown) => {
    const html = shown(markdown)
    expect(html).not.toMatch(/<script|<[^>]+\son\w+=/i)
  })

  it('leaves text alone that only looks like what it replaces', () => {
    const text = 'write `<td style="text-align:left">` and `<img src="x">` yourself'
    expect(shown(text)).toContain('&lt;td style="text-align:left"&gt;')
    expect(shown(text)).toContain('&lt;img src="x"&gt;')
  })
})

it.each([
  ['https://handbook.example/base', true],
  ['http://10.0.0.1/x', true],
  ['mailto:ops@example.org', true],
  ['#/settings', false],
  ['/library', false],
  ['javascript:alert(1)', false],
  ['file:///etc/passwd', false],
  ['data:text/html,x', false]
])('opens %s outside: %s', (href, opens) => {
  expect(outsideAddress(href)).toBe(opens ? href : null)
})
