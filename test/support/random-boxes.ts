import fc from 'fast-check'
import type { SmallBox, SmallImage } from './small-catalogue.ts'

/** Boxes and texts that are made to meet where search could go wrong. */

export const organizations = ['acme', 'Acme-2', 'b', 'zeta.Labs', '0x']
export const names = [
  'ubuntu-22.04',
  'Ubuntu',
  'ubu',
  'debian_12',
  'a',
  'ab',
  'abc',
  'OR',
  'x--y',
  'aaaa',
  'aaa',
  'web.node',
  'b-ubuntu',
  'n'.repeat(40),
  'anana-banana'
]
export const nasty = [
  'a',
  'ab',
  'abc',
  'ubuntu',
  'UBU',
  '22.04',
  '-22',
  'bun',
  'e/u',
  'acme/ubuntu',
  'acme/',
  'a/',
  '/',
  '//',
  'b/',
  '"',
  '*',
  '-',
  '--',
  '%',
  '_',
  'OR',
  'NEAR(',
  'NOT',
  "'",
  '\\',
  '(',
  ')',
  '^',
  'äöü',
  'A\u0308',
  'ä',
  'ß',
  'SS',
  'ss',
  'ΟΔΟΣ',
  'οδος',
  'οδοσα',
  '日本語',
  '日本',
  '本',
  '😀',
  '😀a',
  'a😀b',
  'ab😀',
  'x😀😀y',
  '\ud83d',
  '\u0301',
  'İ',
  'i',
  'foo-bar',
  'bar',
  '-foo',
  '"foo',
  'node.js',
  'js',
  '\0',
  'internationalization',
  'internationalizatiom',
  'internationalizations',
  'n'.repeat(39),
  'n'.repeat(41),
  'aaaaa',
  'nananan',
  'banana-ban',
  'nn',
  '😀'.repeat(20),
  '\u001f',
  '\u00a0',
  '\u3000',
  'c++',
  'c+',
  '+'
]

const strange = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 5 }),
  fc.string({ unit: fc.constantFrom('a', 'b', 'u', '-', '/', '2', ' '), maxLength: 6 })
)
/** Made of few words, so that queries and descriptions often have some in common. */
export const text = (words: readonly string[], maxLength: number) =>
  fc
    .tuple(
      fc.array(
        fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...words) }, { weight: 1, arbitrary: strange }),
        {
          maxLength
        }
      ),
      fc.constantFrom(' ', ' ', ' ', '\n', '-', '\u3000', ', ')
    )
    .map(([parts, space]) => parts.join(space).replaceAll('\ud83d', '').slice(0, 255))
export const providers = ['virtualbox', 'libvirt', 'vmware_desktop']
export const architectures = ['amd64', 'arm64', 'unknown']
/** Files are shared between images; one is empty. */
export const files = ['f0', 'f1', 'f1', 'f2', 'f7']
const image: fc.Arbitrary<SmallImage> = fc
  .tuple(
    fc.constantFrom(...providers),
    fc.constantFrom(...architectures),
    fc.constantFrom(undefined, undefined, ...files)
  )
  .map(([provider, architecture, file]) => (file ? [provider, architecture, file] : [provider, architecture]))
const version = fc.record({
  status: fc.constantFrom('active', 'active', 'active', 'unreleased', 'revoked'),
  images: fc.uniqueArray(image, {
    maxLength: 3,
    selector: ([provider, architecture]) => `${provider} ${architecture}`
  })
}) as fc.Arbitrary<SmallBox['versions'][number]>

/** Ids on both sides of where a chunk of the index ends. */
const ids = [1, 2, 3, 31, 32, 33, 65_534, 65_535, 65_536, 65_537, 131_071, 131_072, 300_000]
const boxOf = (words: readonly string[]): fc.Arbitrary<SmallBox> =>
  fc.record({
    id: fc.constantFrom(...ids),
    organization: fc.constantFrom(...organizations),
    name: fc.constantFrom(...names),
    shortDescription: text(words, 4),
    private: fc.boolean(),
    downloads: fc.constantFrom(0, 0, 0, 1, 2, 1_000_000_000_000),
    createdAt: fc.constantFrom(1, 2, 3, 1_700_000_000_000),
    updatedAt: fc.nat(3),
    versions: fc.array(version, { minLength: 1, maxLength: 2 })
  })
export const stepOf = (words: readonly string[]) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant('put' as const), box: boxOf(words) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), id: fc.constantFrom(...ids) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('download' as const), id: fc.constantFrom(...ids) }) }
  )
