const longest = 2_048

/**
 * The address to hand to the system, spelt the way it was understood here; null for whatever is no plain web page.
 * Systems start programs for other schemes, and some have done so for odd spellings of this one.
 */
export function externalUrl(address: string): string | null {
  if (address.length > longest || hasOddCharacters(address)) return null
  let url: URL
  try {
    url = new URL(address)
  } catch {
    return null
  }
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  // Names and passwords in addresses are used to show one host and go to another.
  if (!isWeb || url.hostname === '' || url.username !== '' || url.password !== '') return null
  // "https:host" and "https:\\host" are understood by browsers and by nobody else.
  if (!/^https?:\/\/[^/\\]/i.test(address)) return null
  return url.href
}

/** Anything but the visible signs that a correct address is written with: no space, no quote a shell might see. */
const hasOddCharacters = (address: string): boolean => !/^[!#-;=?-[\]_a-z~]*$/.test(address)
