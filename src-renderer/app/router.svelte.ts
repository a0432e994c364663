/** Where the person is, as the part of the address after "#": "/box/acme/base?version=1.2.0". */
export interface Route {
  readonly place: string
  /** What follows the place, decoded: ["acme", "base"]. */
  readonly parts: readonly string[]
  readonly query: URLSearchParams
}

const home = '/library'

let current = $state.raw(parse(location.hash))

addEventListener('hashchange', () => (current = parse(location.hash)))

export const route = {
  get current(): Route {
    return current
  }
}

/** Goes somewhere; `replace` leaves no step to come back to. */
export function go(to: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', `#${to}`)
  else history.pushState(null, '', `#${to}`)
  current = parse(`#${to}`)
}

export const boxPath = (organization: string, name: string, version?: string): string =>
  `/box/${encodeURIComponent(organization)}/${encodeURIComponent(name)}` +
  (version === undefined ? '' : `?version=${encodeURIComponent(version)}`)

function parse(hash: string): Route {
  const [path = '', query = ''] = (hash.startsWith('#/') ? hash.slice(1) : home).split('?')
  const [place = '', ...parts] = path.split('/').slice(1).map(decode)
  return { place, parts, query: new URLSearchParams(query) }
}

/** An address somebody typed may be no valid encoding; it then names nothing. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
