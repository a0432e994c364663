const hostHeader = /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(?::[0-9]{1,5})?$/
const ownNames = ['127.0.0.1', '[::1]', 'localhost']

/**
 * Whether a Host header names this server. A web page whose own name has been made to point at this machine would
 * send that name, and must not be answered.
 */
export function hostCheck(allowed: readonly string[]): (host: string | undefined) => boolean {
  const names = new Set([...ownNames, ...allowed.map((name) => name.toLowerCase())])
  return (host) => {
    const match = host === undefined ? null : hostHeader.exec(host)
    if (!match) return false
    const [whole, name = ''] = match
    return names.has(name.toLowerCase()) || names.has(whole.toLowerCase())
  }
}
