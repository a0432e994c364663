import type { BoxDetails } from '../../../src-main/contract/boxes.ts'
import type { BoxRef } from '../../../src-main/contract/words.ts'
import { ask } from '../../api.ts'

/** Finds the box under the name somebody gave it meanwhile; null when it is gone. */
export async function follow({ id, createdAt }: BoxDetails): Promise<BoxRef | null> {
  try {
    return await ask('box.nameNow', { id, createdAt })
  } catch {
    return null
  }
}
