const longest = 8192

/** Says why an address cannot be handed to a client as the place of a box file, or nothing. */
export function imageUrlFault(text: string): string | null {
  if (text.length > longest) return `The url is ${text.length} characters long; ${longest} is the most.`
  const url = URL.canParse(text) ? new URL(text) : null
  if (url && /^https?:\/\//i.test(text) && url.hostname !== '' && !/[\s\p{C}]/u.test(text)) return null
  return `The url "${text.slice(0, 200)}" must be a whole address that begins with http:// or https://.`
}
