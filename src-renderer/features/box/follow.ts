import type { BoxDetails } from '../../../src-main/contract/boxes.ts'
import type { BoxRow } from '../../../src-main/contract/library.ts'
import { ask } from '../../api.ts'

/**
 * Finds the box under the name somebody gave it meanwhile: the one of its organization that was made at the very same
 * moment. Null when it is gone, or when that is not certain.
 */
export async function follow(box: BoxDetails): Promise<BoxRow | null> {
  const query = {
    q: '',
    provider: null,
    architecture: null,
    organization: box.organization,
    visibility: 'any',
    state: 'any',
    sort: 'updated',
    order: 'desc'
  } as const
  try {
    const { rows } = await ask('library.find', { query, offset: 0, limit: 100 })
    const same = rows.filter(({ createdAt }) => createdAt === box.createdAt)
    return same.length === 1 ? (same[0] ?? null) : null
  } catch {
    return null
  }
}
