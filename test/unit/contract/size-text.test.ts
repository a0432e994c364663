import { expect, it } from 'vitest'
import { sizeText } from '../../../src-main/contract/size-text.ts'

it.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1000, '1.0 kB'],
  [99_949, '99.9 kB'],
  [99_950, '100 kB'],
  [999_499, '999 kB'],
  [999_500, '1.0 MB'],
  [1_400_000_000, '1.4 GB'],
  [5e15, '5000 TB']
])('says %d as %s', (bytes, text) => expect(sizeText(bytes)).toBe(text))
