import { go } from '../../app/router.svelte.ts'
import type { BoxPage } from './context.ts'

/** Goes to where a file is given for this box, with what is known of it filled in. */
export function addFile(
  { box }: Pick<BoxPage, 'box'>,
  { version, provider, architecture }: { version: string | null; provider?: string; architecture?: string }
): void {
  const known = new URLSearchParams({ organization: box.organization, name: box.name })
  known.set('version', version ?? box.nextVersion)
  if (provider !== undefined) known.set('provider', provider)
  if (architecture !== undefined) known.set('architecture', architecture)
  go(`/publish?${known}`)
}
