import { randomBytes } from 'node:crypto'
import { gzipSync, constants } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BoxFacts } from '../../../src-main/blobs/driver.ts'
import { BoxInspector } from '../../../src-main/blobs/inspect.ts'
import { box, endOfArchive, pax, sign, tar, tarEntry, tarGz, type Entry } from '../../support/archives.ts'

/** Pushes `bytes` in pieces of `size`, as a stream would. */
async function inspect(bytes: Buffer, size = 64 * 1024): Promise<BoxFacts> {
  const inspector = new BoxInspector()
  for (let at = 0; at < bytes.length; at += size) await inspector.write(bytes.subarray(at, at + size))
  return inspector.finish()
}

const metadata = (content: unknown = { provider: 'virtualbox' }): Entry => ({
  name: 'metadata.json',
  content: typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content)
})
const vagrantfile: Entry = { name: 'Vagrantfile', content: '#' }
const disk: Entry = { name: 'box.img', content: randomBytes(700_000) }

describe('a box', () => {
  it.each([
    ['metadata first', [metadata(), vagrantfile, disk]],
    ['metadata last', [vagrantfile, disk, metadata()]],
    ['no disk', [metadata(), vagrantfile]],
    [
      './ before its names',
      [{ ...metadata(), name: './metadata.json' }, disk, { ...vagrantfile, name: './Vagrantfile' }]
    ],
    ['folders', [{ name: './', type: '5' }, metadata(), { name: 'a/', type: '5' }, vagrantfile]],
    ['names of the oldest kind', [{ ...metadata(), type: '\0' }, vagrantfile]],
    [
      'a name in extended headers',
      [pax({ path: 'metadata.json' }), { ...metadata(), name: 'short' }, vagrantfile]
    ],
    [
      'a long name of GNU',
      [
        { name: '././@LongLink', type: 'L', content: 'metadata.json\0' },
        { ...metadata(), name: 'm' },
        vagrantfile
      ]
    ],
    [
      'a name in two parts',
      [metadata(), vagrantfile, { name: 'metadata.json', prefix: 'other', content: '[]' }]
    ],
    [
      'global extended headers',
      [{ name: 'g', type: 'g', content: '19 comment=anything' }, metadata(), vagrantfile]
    ]
  ] satisfies [string, Entry[]][])('with %s', async (_, entries) => {
    for (const size of [1_000_000, 64 * 1024, 511, 3])
      for (const [format, bytes] of [
        ['tar', tar(...entries)],
        ['tar.gz', tarGz(...entries)]
      ] as const)
        expect(await inspect(bytes, size), `${format} in pieces of ${size}`).toEqual({
          format,
          provider: 'virtualbox',
          architecture: null,
          diskFormat: null,
          hasVagrantfile: true,
          note: null
        })
  })

  it('that arrives byte by byte', async () => {
    expect(await inspect(box(), 1)).toMatchObject({
      provider: 'virtualbox',
      architecture: 'amd64',
      note: null
    })
  })

  it('made of several members of gzip', async () => {
    const whole = tar(vagrantfile, disk, metadata())
    const parts = [gzipSync(whole.subarray(0, 300_000)), gzipSync(whole.subarray(300_000))]
    expect(await inspect(Buffer.concat(parts))).toMatchObject({ provider: 'virtualbox', note: null })
  })

  it('with zeros after its end', async () => {
    const bytes = Buffer.concat([tar(metadata()), Buffer.alloc(100_000)])
    expect(await inspect(bytes)).toMatchObject({ format: 'tar', provider: 'virtualbox', note: null })
    expect(await inspect(gzipSync(bytes))).toMatchObject({
      format: 'tar.gz',
      provider: 'virtualbox',
      note: null
    })
  })

  it('with a sparse disk of GNU before its metadata', async () => {
    const sparse = tarEntry({ name: 'box.img', type: 'S', content: randomBytes(2048) })
    sparse[482] = 1
    sign(sparse)
    const [more, last] = [Buffer.alloc(512, 1), Buffer.alloc(512)]
    const image = Buffer.concat([sparse.subarray(0, 512), more, last, sparse.subarray(512)])
    const bytes = Buffer.concat([image, tar(metadata(), vagrantfile)])
    expect(await inspect(bytes)).toMatchObject({ provider: 'virtualbox', hasVagrantfile: true, note: null })
  })

  it('tells what its metadata say', async () => {
    const said = { provider: 'libvirt', architecture: 'arm64', format: 'qcow2', virtual_size: 40 }
    expect(await inspect(box(said))).toMatchObject({
      provider: 'libvirt',
      architecture: 'arm64',
      diskFormat: 'qcow2'
    })
  })

  it('is not unpacked any further once everything is known', async () => {
    const inspector = new BoxInspector()
    await inspector.write(tarGz(metadata(), vagrantfile))
    expect(inspector.finished).toBe(true)
    expect(inspector.write(randomBytes(100))).toBeNull()
    expect(await inspector.finish()).toMatchObject({ provider: 'virtualbox', note: null })
  })
})

describe('what is no box', () => {
  const nobody = { provider: null, architecture: null, diskFormat: null, hasVagrantfile: false }

  it.each([
    ['nothing', Buffer.alloc(0), 'The file is empty.'],
    ['one byte', Buffer.from('x'), 'neither a tar archive nor'],
    ['the first byte of a gzip', Buffer.from([0x1f]), 'neither a tar archive nor'],
    ['the first bytes of a gzip', Buffer.from([0x1f, 0x8b, 8]), 'compressed with gzip but'],
    ['noise', randomBytes(300_000), 'neither a tar archive nor'],
    ['zeros', Buffer.alloc(300_000), 'neither a tar archive nor'],
    ['a text', Buffer.from('{"provider":"virtualbox"}'), 'neither a tar archive nor'],
    ['a compressed text', gzipSync('hello'), 'compressed with gzip but'],
    ['compressed nothing', gzipSync(''), 'compressed with gzip but'],
    ['compressed noise', gzipSync(randomBytes(300_000)), 'compressed with gzip but'],
    [
      'the sign of a gzip before noise',
      Buffer.concat([Buffer.from([0x1f, 0x8b, 8]), randomBytes(5000)]),
      'with gzip but'
    ],
    ['a zip', Buffer.concat([Buffer.from('PK\x03\x04'), randomBytes(5000)]), 'neither a tar archive nor']
  ])('is noted: %s', async (_, bytes, why) => {
    for (const size of [1, 100_000]) {
      if (size === 1 && bytes.length > 10_000) continue
      const facts = await inspect(bytes, size)
      expect(facts).toEqual({ format: 'other', ...nobody, note: expect.stringContaining(why) })
      expect(facts.note).toMatch(/^[A-Z].*\.$/)
    }
  })
})

describe('a damaged archive is noted', () => {
  const whole = tarGz(disk, metadata(), vagrantfile)
  const middle = (bytes: Buffer): Buffer => {
    const broken = Buffer.from(bytes)
    broken.fill(0xff, bytes.length >> 1, (bytes.length >> 1) + 5000)
    return broken
  }
  const stored = gzipSync(tar(disk, metadata(), vagrantfile), { level: constants.Z_NO_COMPRESSION })

  it.each([
    ['cut off', whole.subarray(0, 300_000), 'ends early'],
    ['cut off before its checksum', tarGz(disk).subarray(0, -4), null],
    [
      'damaged in the middle',
      Buffer.concat([stored.subarray(0, 65_546 * 2 + 10), randomBytes(99_000)]),
      'is damaged'
    ],
    ['a plain one cut off', tar(disk).subarray(0, 300_000), 'ends in the middle of a file'],
    [
      'a plain one cut off in a header',
      Buffer.concat([tarEntry(disk), Buffer.alloc(100, 1)]),
      'in the middle'
    ],
    ['noise after its first file', Buffer.concat([tarEntry(disk), randomBytes(99_000)]), 'headers is damaged']
  ])('%s', async (_, bytes, why) => {
    const facts = await inspect(bytes)
    expect(facts).toMatchObject({ format: bytes[0] === 0x1f ? 'tar.gz' : 'tar', provider: null })
    expect(facts.note).toContain('No metadata.json was found')
    if (why !== null) expect(facts.note).toContain(why)
  })

  it('but not when what counts came before the damage', async () => {
    const bytes = Buffer.concat([tar(metadata(), vagrantfile, disk).subarray(0, 5000), randomBytes(5000)])
    expect(await inspect(bytes)).toMatchObject({ provider: 'virtualbox', note: null })
    expect(await inspect(middle(tarGz(metadata(), vagrantfile, disk)))).toMatchObject({ note: null })
  })

  it('by whatever bytes are changed, cut off or doubled, and never throws', async () => {
    const boxes = [
      tar(metadata(), vagrantfile, disk).subarray(0, 9000),
      box(),
      tarGz(vagrantfile, metadata())
    ]
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...boxes),
        fc.array(fc.tuple(fc.nat(9000), fc.nat(255)), { maxLength: 8 }),
        fc.nat(9000),
        fc.integer({ min: 1, max: 3000 }),
        async (original, changes, length, size) => {
          const bytes = Buffer.from(original)
          for (const [at, value] of changes) bytes[at % bytes.length] = value
          const facts = await inspect(bytes.subarray(0, length), size)
          expect(facts.note === null || /^[A-Z].*\.$/.test(facts.note)).toBe(true)
        }
      ),
      { numRuns: 300 }
    )
  })
})

describe('a hostile archive', () => {
  const sized = (field: Buffer): Entry => ({ name: 'box.img', sizeField: field })

  it.each([
    ['negative', Buffer.alloc(12, 0xff)],
    ['beyond all numbers', Buffer.concat([Buffer.from([0x80]), Buffer.alloc(11, 0xff)])],
    ['no number', Buffer.from('12x4567890a\0')]
  ])('cannot claim a size that is %s', async (_, field) => {
    const facts = await inspect(tar(sized(field), metadata()))
    expect(facts).toMatchObject({ provider: null, note: expect.stringContaining('impossible size') })
  })

  it.each([
    ['in octal digits', Buffer.from('77777777777\0')],
    ['in binary', Buffer.from([0x80, 0, 0, 0, 0, 0, 0x0f, 0xff, 0xff, 0xff, 0xff, 0xff])]
  ])('gains nothing by claiming terabytes %s', async (_, field) => {
    const facts = await inspect(Buffer.concat([tarEntry(sized(field)), tarEntry(metadata())]))
    expect(facts).toMatchObject({ provider: null, note: expect.stringContaining('ends in the middle') })
  })

  it('may have a file so large that its size is binary', async () => {
    const field = Buffer.alloc(12)
    field[0] = 0x80
    field.writeUInt32BE(5, 8)
    const bytes = Buffer.concat([
      tarEntry(sized(field)),
      Buffer.from('12345'),
      Buffer.alloc(507),
      tar(metadata())
    ])
    expect(await inspect(bytes)).toMatchObject({ provider: 'virtualbox', note: null })
  })

  it.each([
    '../metadata.json',
    '/metadata.json',
    'a/metadata.json',
    '././metadata.json',
    'metadata.json/',
    'METADATA.JSON',
    'metadata.json\n',
    '.\\metadata.json'
  ])('cannot pass off %j as the metadata', async (name) => {
    const facts = await inspect(tar({ ...metadata({ provider: 'evil' }), name }, vagrantfile))
    expect(facts).toMatchObject({
      provider: null,
      note: expect.stringContaining('No metadata.json was found')
    })
  })

  it.each([
    ['a link', { name: 'metadata.json', type: '2' }],
    ['a hard link', { name: 'metadata.json', type: '1' }],
    ['a folder', { name: 'metadata.json', type: '5' }],
    ['a device', { name: 'metadata.json', type: '3' }]
  ])('cannot make us follow metadata that are %s', async (_, entry) => {
    const facts = await inspect(tar(entry, metadata({ provider: 'evil' })))
    expect(facts).toMatchObject({ provider: null, note: expect.stringContaining('is not a file') })
  })

  it('has its first metadata count, as clients read them', async () => {
    const facts = await inspect(tar(metadata({ provider: 'first' }), metadata({ provider: 'second' })))
    expect(facts.provider).toBe('first')
  })

  it.each([
    ['a bad length', '99999 path=metadata.json\n'],
    ['a negative length', '-5 path=x\n'],
    ['no length', 'path=metadata.json\n'],
    ['a length of nothing', '0 \n'],
    ['a size that is no number', '13 size=-100\n']
  ])('is not followed into extended headers with %s', async (_, content) => {
    const facts = await inspect(tar({ name: 'x', type: 'x', content }, metadata()))
    expect(facts).toMatchObject({
      provider: null,
      note: expect.stringContaining('could not be read to its end')
    })
  })

  it('with an extended header of many megabytes is passed over without being held', async () => {
    const facts = await inspect(
      tar(
        { name: 'x', type: 'x', content: Buffer.alloc(5_000_000, 0x41) },
        { ...metadata(), name: 'y' },
        metadata()
      )
    )
    expect(facts).toMatchObject({ provider: 'virtualbox', note: null })
  })

  it('with thousands of entries is read, with hundreds of thousands not', async () => {
    const entry = tarEntry({ name: 'x' })
    const many = (count: number): Buffer =>
      gzipSync(Buffer.concat([...Array.from({ length: count }, () => entry), tar(metadata())]), { level: 1 })
    expect(await inspect(many(5000))).toMatchObject({ provider: 'virtualbox', note: null })
    const facts = await inspect(many(120_000))
    expect(facts).toMatchObject({ provider: null, note: expect.stringContaining('more than 100000 entries') })
  })

  it('cannot keep us unpacking: a bomb is left alone, in little memory', async () => {
    const zeros = gzipSync(Buffer.alloc(64 * 1024 * 1024))
    const claim = Buffer.from('77777777777\0') // 8 GiB of zeros to come
    const start = gzipSync(tarEntry({ name: 'zeros', sizeField: claim }))
    const inspector = new BoxInspector()
    const before = process.memoryUsage().rss
    await inspector.write(start)
    for (let i = 0; i < 100 && !inspector.finished; i += 1) await inspector.write(zeros)
    const facts = await inspector.finish()
    expect(facts.note).toContain('unpacks to more than 100 times its size')
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024)
  })

  it('may be a disk of zeros, as long as it is not absurd', async () => {
    const bytes = tarGz({ name: 'box.img', content: Buffer.alloc(100_000_000) }, metadata(), vagrantfile)
    expect(await inspect(bytes)).toMatchObject({ provider: 'virtualbox', note: null })
  })
})

describe('metadata', () => {
  const large = (size: number): string => JSON.stringify({ provider: 'p', more: 'x'.repeat(size) })

  it.each([
    ['no JSON', 'provider: virtualbox', 'is not a JSON object'],
    ['empty', '', 'is not a JSON object'],
    ['an array', '["virtualbox"]', 'is not a JSON object'],
    ['a text', '"virtualbox"', 'is not a JSON object'],
    ['null', 'null', 'is not a JSON object'],
    ['cut off', '{"provider":"virtualbox"', 'is not a JSON object'],
    ['binary', randomBytes(1000), 'is not a JSON object'],
    ['very deep', '['.repeat(400_000), 'is not a JSON object'],
    ['an empty object', '{}', 'names no provider'],
    ['inherited', '{"__proto__":{"provider":"evil"}}', 'names no provider'],
    ['a number', '{"provider":7}', 'The provider in its metadata.json is not usable'],
    ['an object', '{"provider":{"toString":1}}', 'The provider in'],
    ['a path', '{"provider":"../../etc"}', 'The provider in'],
    ['a tag', '{"provider":"<script>"}', 'The provider in'],
    ['too long a name', JSON.stringify({ provider: 'x'.repeat(129) }), 'The provider in'],
    ['a string of 10 MB', large(10_000_000), 'larger than 1 MiB']
  ])('that are %s name no provider', async (_, content, why) => {
    const facts = await inspect(tarGz(metadata(content), vagrantfile))
    expect(facts).toMatchObject({ format: 'tar.gz', provider: null, hasVagrantfile: true })
    expect(facts.note).toContain(why)
    expect(Object.hasOwn(Object.prototype, 'provider')).toBe(false)
  })

  it.each([7, 'AMD64', 'x86-64', 'x'.repeat(33), ['amd64'], true])(
    'with the architecture %j still name the provider',
    async (architecture) => {
      const facts = await inspect(box({ provider: 'virtualbox', architecture }))
      expect(facts).toMatchObject({ provider: 'virtualbox', architecture: null })
      expect(facts.note).toBe('The architecture in its metadata.json is not usable.')
    }
  )

  it.each([null, ''])('may leave the architecture open with %j', async (architecture) => {
    expect(await inspect(box({ provider: 'p', architecture }))).toMatchObject({
      architecture: null,
      note: null
    })
  })

  it('may be large, and begin with the mark of Windows', async () => {
    expect(await inspect(tar(metadata('\ufeff' + large(1_000_000))))).toMatchObject({
      provider: 'p',
      note: null
    })
  })

  it('may stand in an archive without an end', async () => {
    const bytes = tar(metadata()).subarray(0, -endOfArchive.length)
    expect(await inspect(bytes)).toMatchObject({ provider: 'virtualbox', note: null })
  })
})
