import { expect, test } from 'vitest'
import type { BoxRow } from '../../../../../src-main/contract/library.ts'
import { noVersion } from '../../../../../src-renderer/features/library/no-version.ts'

const row: BoxRow = {
  ...{ id: 1, organization: 'acme', name: 'base', shortDescription: '', private: false, downloads: 0 },
  ...{ size: 0, currentVersion: null, versions: 1, hasUnreleased: false, images: [] },
  ...{ here: 'none', mirrored: false, outOfStep: false, createdAt: 1, updatedAt: 1 }
}

test.each([
  ['Empty', { versions: 0 }],
  ['Empty', { versions: 0, mirrored: true }],
  ['Unreleased', { hasUnreleased: true }],
  ['Revoked', {}],
  ['Revoked', { here: 'all', mirrored: true }],
  ['Not here yet', { mirrored: true }]
] as const)('a box without a version for clients is %s: %j', (word, what) => {
  expect(noVersion({ ...row, ...what })).toBe(word)
})
