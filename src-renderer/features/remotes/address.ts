/** Whether what was typed names a folder; everything else is taken for an address. */
export const isFolder = (location: string): boolean =>
  /^(?:[/~.]|\\\\|[a-z]:[\\/]|file:)/i.test(location.trim())

/** Whether a token sent to that address could be read on the way: plain http to anywhere but this computer. */
export function isOpenToReaders(location: string): boolean {
  const [, host = ''] = /^http:\/\/(?:[^/?#]*@)?(\[[^\]]*\]|[^/:?#]*)/i.exec(location.trim()) ?? []
  return host !== '' && !/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/i.test(host)
}
