/**
 * Sanitised HTML, made fit for our own page: nothing in it may ask for a style attribute, which the content security
 * policy refuses, or for a picture from elsewhere, which would tell others what is looked at. In what the product
 * sanitised, "<" stands at the beginning of tags alone.
 */
export const forPage = (html: string): string =>
  html
    .replaceAll(/<(t[hd]) style="text-align:\s*(left|right|center);?">/g, '<$1 class="align-$2">')
    .replaceAll(/<img\b([^>]*)>/g, (_, attributes: string) => {
      const { src = '', alt = '' } = attributesOf(attributes)
      return `<span class="picture" title="${src}">${alt === '' ? 'Picture' : alt}</span>`
    })

const attributesOf = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/([a-z]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]))

/** The address of a link that may be opened outside, or null for anything else, as places within this very page. */
export function outsideAddress(href: string): string | null {
  return /^(https?:\/\/|mailto:)/i.test(href) ? href : null
}
