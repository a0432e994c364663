import { ask } from '../../api.ts'
import type { Usage } from '../../../src-main/contract/storage.ts'
import { childOf, worthOpening, type StorageNode } from './node.ts'

/** What is drawn inside an area. */
export type Part = Usage['children'][number]

/** What is in the largest areas of a node, by their names. */
export async function partsIn(
  node: StorageNode,
  usage: Usage
): Promise<ReadonlyMap<string, readonly Part[]>> {
  const parts = new Map<string, readonly Part[]>()
  for (const name of worthOpening(node, usage)) {
    const child = childOf(node, name)
    if (child) parts.set(name, (await ask('storage.usage', child)).children)
  }
  return parts
}
