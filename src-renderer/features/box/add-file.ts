import { chooseFiles } from '../drop/add.ts'
import type { BoxPage } from './context.ts'

/** Lets the person choose box files for this box, with what is known of them filled in. */
export const addFile = (
  { box }: Pick<BoxPage, 'box'>,
  { version, ...image }: { version: string | null; provider?: string; architecture?: string }
): Promise<void> =>
  chooseFiles({
    organization: box.organization,
    name: box.name,
    version: version ?? box.nextVersion,
    ...image
  })
