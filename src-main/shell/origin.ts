/** The window's one address: a scheme of our own, so that nothing else on the machine or the network has this origin. */
export const scheme = 'app'
export const origin = 'app://boxyard'

/** Whether an address is the interface's own. Its scheme is none that URL knows an origin for, so its parts are compared. */
export function isOurs(address: string): boolean {
  try {
    const { protocol, host, username, password } = new URL(address)
    return `${protocol}//${host}` === origin && username === '' && password === ''
  } catch {
    return false
  }
}

/** The address of a place in the interface, "/box/acme/base". */
export const addressOf = (place: string): string => `${origin}/#${place}`

/** The scheme of links that other programs may lead a person here with. */
export const linkScheme = 'boxyard'
