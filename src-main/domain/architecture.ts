/** What an image is for when nobody said: clients take it for "whatever this machine is". */
export const unknownArchitecture = 'unknown'

/** Those the API documents. Clients also send names of processors it has never heard of, so they are no closed list. */
const documented = 'amd64, i386, arm, arm64, ppc64le, ppc64, mips64le, mips64, mipsle, mips, s390x'

/** Says what is wrong with an architecture, or nothing. */
export function architectureFault(architecture: string): string | null {
  if (/^[a-z0-9_]{1,32}$/.test(architecture)) return null
  return (
    `The architecture "${architecture}" must be one of ${documented} or ${unknownArchitecture}, ` +
    'or another name of up to 32 lower-case letters, digits and "_".'
  )
}
