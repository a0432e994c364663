import { describe, expect, it } from 'vitest'
import { isFolder, isOpenToReaders } from '../../../../../src-renderer/features/remotes/address.ts'

describe('what is typed for a remote', () => {
  it.each([
    ['/media/alice/BOXES', true],
    ['  ~/boxes', true],
    ['C:\\boxes', true],
    ['d:/boxes', true],
    ['\\\\server\\share', true],
    ['https://boxes.example.org/', false],
    ['HTTP://c:/boxes', false],
    ['boxes.example.org', false],
    ['', false]
  ])('%s is a folder: %s', (location, expected) => {
    expect(isFolder(location)).toBe(expected)
  })

  it.each([
    ['http://boxes.example.org', true],
    [' HTTP://10.0.0.5:8080/x', true],
    ['http://localhost.example.org', true],
    ['http://127.0.0.1.example.org', true],
    ['http://localhost@example.org', true],
    ['http://[fe80::1]/', true],
    ['http://127.0.0.1:5000', false],
    ['http://127.1.2.3', false],
    ['http://LOCALHOST/', false],
    ['http://[::1]:5000/', false],
    ['http://', false],
    ['https://boxes.example.org', false],
    ['/folder/http://x', false]
  ])('%s can be read on the way: %s', (location, expected) => {
    expect(isOpenToReaders(location)).toBe(expected)
  })
})
