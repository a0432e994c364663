import { describe, expect, it } from 'vitest'
import {
  childName,
  childOf,
  nodeOf,
  nodesAbove,
  pathOfNode,
  worthOpening
} from '../../../../../src-renderer/features/storage/node.ts'

const route = (...parts: string[]) => ({ place: 'storage', parts, query: new URLSearchParams() })
const all = { organization: null, box: null, version: null }
const version = { organization: 'acme', box: 'a/b', version: '1.0.0' }

describe('a place in the picture of the disk', () => {
  it.each([
    [[], all],
    [[''], all],
    [['acme'], { ...all, organization: 'acme' }],
    [['acme', ''], { ...all, organization: 'acme' }],
    [['', 'base', '1.0.0'], all],
    [['acme', 'a/b', '1.0.0', 'more'], version]
  ])('is part of the address: %j', (parts, node) => {
    expect(nodeOf(route(...parts))).toEqual(node)
  })

  it('has an address that leads back to it', () => {
    expect(pathOfNode(all)).toBe('/storage')
    expect(pathOfNode(version)).toBe('/storage/acme/a%2Fb/1.0.0')
  })

  it('lies within others, the outermost first', () => {
    expect(nodesAbove(all)).toEqual([])
    expect(nodesAbove(version).map(pathOfNode)).toEqual(['/storage', '/storage/acme', '/storage/acme/a%2Fb'])
  })

  it('can be gone into as far as there is something in it', () => {
    expect(childOf(all, 'acme')).toEqual({ ...all, organization: 'acme' })
    expect(childOf({ ...version, version: null }, '1.0.0')).toEqual(version)
    expect(childOf(version, 'virtualbox/amd64')).toBeNull()
    expect(childOf(all, '')).toBeNull()
  })

  it('calls what is in it by names for people', () => {
    expect(childName(version, { name: 'virtualbox/amd64', count: 1 })).toBe('virtualbox on amd64')
    expect(childName(all, { name: 'acme', count: 1 })).toBe('acme')
    expect(childName(all, { name: '', count: 1234 })).toBe('1,234 more')
  })
})

const child = (name: string, bytes: number) => ({ name, bytes, count: 1 })

describe('areas that are looked into', () => {
  it('are the large ones, and not the rest of them', () => {
    const children = [child('a', 900), child('', 500), child('b', 50), child('c', 10), child('d', 0)]
    expect(worthOpening(all, { name: '', bytes: 1460, children })).toEqual(['a', 'b'])
  })

  it('are few, however many are large', () => {
    const children = Array.from({ length: 30 }, (_, at) => child(`box${at}`, 33))
    expect(worthOpening(all, { name: '', bytes: 990, children })).toHaveLength(8)
  })

  it('are none in a store without bytes, nor among versions', () => {
    expect(worthOpening(all, { name: '', bytes: 0, children: [child('a', 0)] })).toEqual([])
    const box = { organization: 'acme', box: 'base', version: null }
    expect(worthOpening(box, { name: 'base', bytes: 5, children: [child('1.0.0', 5)] })).toEqual([])
  })
})
