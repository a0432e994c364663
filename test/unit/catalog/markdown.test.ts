import { describe, expect, it } from 'vitest'
import { renderMarkdown } from '../../../src-main/catalog/markdown.ts'

describe('renderMarkdown', () => {
  it.each([
    ['', ''],
    ['Long *text*', '<p>Long <em>text</em></p>'],
    ['# Title', '<h1>Title</h1>'],
    ['[a](http://b/c)', '<p><a href="http://b/c" rel="nofollow noopener">a</a></p>'],
    ['see https://b/c', '<p>see <a href="https://b/c" rel="nofollow noopener">https://b/c</a></p>'],
    ['```js\n1 < 2\n```', '<pre><code class="language-js">1 &lt; 2\n</code></pre>']
  ])('%j', (text, html) => expect(renderMarkdown(text)).toBe(html))

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt&#58;alert(1))',
    '[x](data:text/html;base64,PHNjcmlwdD4=)',
    '![x](data:image/svg+xml;base64,PHN2Zz4=)',
    '<http://a"onmouseover="alert(1)>',
    '[x]: javascript:alert(1)\n[x]',
    '```"onload="x\n```',
    '<iframe src="//evil">',
    '[a](vbscript:x "onclick=")'
  ])('makes nothing that runs of %j', (text) => {
    const html = renderMarkdown(text)
    expect(html).not.toMatch(/<(?:script|iframe|svg|style|object|embed|form)/i)
    expect(html).not.toMatch(/<[^>]*\s(?:on\w+\s*=|(?:href|src)="\s*(?:javascript|data|vbscript):)/i)
  })
})
