import type { Payload } from '../../../src-main/contract/desk.ts'
import type { Usage } from '../../../src-main/contract/storage.ts'
import type { Route } from '../../app/router.svelte.ts'

/** A place in the picture of the disk. */
export type StorageNode = Payload<'storage.usage'>

/** "/storage/acme/base/1.2.0": where the person is in the picture is part of the address. */
export function nodeOf({ parts }: Route): StorageNode {
  const [organization = null, box = null, version = null] = parts.map((part) => (part === '' ? null : part))
  return { organization, box: organization && box, version: organization && box && version }
}

export const pathOfNode = ({ organization, box, version }: StorageNode): string =>
  ['/storage', ...[organization, box, version].filter((part) => part !== null).map(encodeURIComponent)].join(
    '/'
  )

/** The node a child is, or null for what has nothing in it. */
export function childOf(node: StorageNode, name: string): StorageNode | null {
  if (name === '' || node.version !== null) return null
  if (node.organization === null) return { organization: name, box: null, version: null }
  if (node.box === null) return { ...node, box: name }
  return { ...node, version: name }
}

/** The nodes above one, the outermost first. */
export function nodesAbove(node: StorageNode): StorageNode[] {
  const above: StorageNode[] = []
  if (node.organization !== null) above.push({ organization: null, box: null, version: null })
  if (node.box !== null) above.push({ organization: node.organization, box: null, version: null })
  if (node.version !== null) above.push({ ...node, version: null })
  return above
}

export const nameOfNode = ({ organization, box, version }: StorageNode): string =>
  version ?? box ?? organization ?? 'All boxes'

/** What is in a node, one and many of them. */
export function kindsIn(node: StorageNode): readonly [one: string, many: string] {
  if (node.version !== null) return ['image', 'images']
  if (node.box !== null) return ['version', 'versions']
  if (node.organization !== null) return ['box', 'boxes']
  return ['organization', 'organizations']
}

/** "virtualbox/amd64" is how an image is named in its version. */
export function childName(node: StorageNode, child: { name: string; count: number }): string {
  if (child.name === '') return `${child.count.toLocaleString('en')} more`
  return node.version === null ? child.name : child.name.replace('/', ' on ')
}

const mostOpened = 8
const leastShare = 0.03

/** The areas that are large enough to be looked into; versions are not, what is in them is told where they are opened. */
export function worthOpening(node: StorageNode, { bytes, children }: Usage): readonly string[] {
  if (node.box !== null) return []
  return children
    .filter(({ name, bytes: own }) => name !== '' && own > 0 && own >= leastShare * bytes)
    .slice(0, mostOpened)
    .map(({ name }) => name)
}
