import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { BlobPaths } from '../../../../src-main/blobs/paths.ts'
import { databaseFaults } from '../../../../src-main/store/integrity.ts'
import { operator } from '../../../../src-main/domain/model.ts'
import { upkeepWorld, type UpkeepWorld } from '../../../support/upkeep.ts'
import { sha256 } from '../../../support/sha256.ts'

let world: UpkeepWorld

beforeEach(async () => {
  world = await upkeepWorld()
  world.addBox()
  world.boxes.update(operator, 'acme', 'tiny', { shortDescription: 'short', description: '*long*' })
  await world.addReleased('1.0.0', 'tiny', 'one')
  world.addImage({ version: '1.0.0', architecture: 'arm64' }, { isDefault: true })
  await world.upload('one for arm', { version: '1.0.0', architecture: 'arm64' })
  await world.addReleased('1.1.0', 'tiny', 'two')
  world.versions.revoke(operator, 'acme', 'tiny', '1.1.0')
  world.addVersion('2.0.0')
  world.addImage({ version: '2.0.0' }, { checksumType: 'md5', checksum: 'd41d8cd98f00b204e9800998ecf8427e' })
  await world.upload('', { version: '2.0.0' })
  world.addBox('secret', true)
  await world.addReleased('1.0.0', 'secret', 'one')
  await world.sidecars.drain()
})

/** Another folder with an empty catalogue, and the files of the first one. */
async function withFilesOf({ dataDir }: UpkeepWorld): Promise<UpkeepWorld> {
  const other = await upkeepWorld()
  cpSync(join(dataDir, 'blobs'), join(other.dataDir, 'blobs'), { recursive: true })
  return other
}

/** What clients see of all boxes, without what no sidecar knows: ids, upload tokens, times and counts of changes. */
const seen = ({ allBoxes }: UpkeepWorld): unknown =>
  JSON.parse(
    JSON.stringify(allBoxes(), (key, value: unknown) =>
      /^(id|boxId|versionId|organizationId|currentVersionId|hostedToken|updatedAt|revision)$/.test(key)
        ? undefined
        : value
    )
  )

describe('rebuild', () => {
  it('makes boxes, versions with their state and images again in an empty catalogue', async () => {
    const other = await withFilesOf(world)
    const told: string[] = []
    expect(await other.upkeep.rebuild((sentence) => told.push(sentence))).toEqual({
      organizations: 0,
      boxes: 2,
      versions: 4,
      images: 5,
      skipped: []
    })
    expect(told).toContain('acme/tiny 1.0.0 for virtualbox on arm64 was added.')
    const sorted = (boxes: unknown): unknown =>
      JSON.parse(
        JSON.stringify(boxes, (key, value: unknown) =>
          key === 'images'
            ? [...(value as { architecture: string }[])].sort((a, b) =>
                a.architecture < b.architecture ? -1 : 1
              )
            : value
        )
      )
    expect(sorted(seen(other))).toEqual(sorted(seen(world)))
    expect((await other.upkeep.verify({})).problems).toEqual([])
    expect(databaseFaults(other.db)).toEqual([])
  })

  it('adds nothing the second time, nor where nothing is missing', async () => {
    const nothing = { organizations: 0, boxes: 0, versions: 0, images: 0, skipped: [] }
    const before = world.allBoxes()
    expect(await world.upkeep.rebuild()).toEqual(nothing)
    expect(world.allBoxes()).toEqual(before)
    const other = await withFilesOf(world)
    await other.upkeep.rebuild()
    expect(await other.upkeep.rebuild()).toEqual(nothing)
  })

  it('does not bring back what was just deleted, nor change what is newer in the catalogue', async () => {
    world.boxes.remove(operator, 'acme', 'secret')
    world.boxes.update(operator, 'acme', 'tiny', { description: 'newer' })
    const before = world.allBoxes()
    await world.upkeep.rebuild()
    expect(world.allBoxes()).toEqual(before)
  })

  it('takes an older catalogue to the state that was noted later', async () => {
    const file = join(world.dataDir, 'backup.tar')
    world.clock.pass(1000)
    world.addVersion('3.0.0')
    world.addImage({ version: '3.0.0' })
    await world.upkeep.backUp({ file, catalogueOnly: true, force: false })
    world.clock.pass(1000)
    await world.upload('three', { version: '3.0.0' })
    world.versions.release(operator, 'acme', 'tiny', '3.0.0')
    await world.upload('two, replaced', { version: '1.1.0' })
    await world.sidecars.drain()
    const after = seen(world)
    const other = await withFilesOf(world)
    await other.upkeep.restore(file)
    // As after a crash: the catalogue is older than what lies beside the files.
    cpSync(join(world.dataDir, 'blobs'), join(other.dataDir, 'blobs'), { recursive: true })
    other.db.exec('DELETE FROM stale_sidecars')
    await other.upkeep.rebuild()
    expect(seen(other)).toEqual(after)
    expect(await other.upkeep.verify({})).toMatchObject({ sidecarsMended: 0 })
  })

  it('makes organizations that are missing the owner’s', async () => {
    world.accounts.addOrganization('elsewhere', 'admin')
    world.boxes.create(operator, { organization: 'elsewhere', name: 'box', private: false })
    world.versions.create(operator, 'elsewhere', 'box', { number: '1.0.0' })
    world.images.create(
      operator,
      { organization: 'elsewhere', box: 'box', version: '1.0.0' },
      { provider: 'libvirt' }
    )
    await world.upload('there', {
      organization: 'elsewhere',
      box: 'box',
      provider: 'libvirt',
      architecture: null
    })
    await world.sidecars.drain()
    const other = await withFilesOf(world)
    expect(await other.upkeep.rebuild()).toMatchObject({ organizations: 1 })
    expect(other.accounts.findOrganization('elsewhere')).toMatchObject({ ownerName: 'owner' })
  })
})

describe('what an organization says of itself', () => {
  const profileIn = ({ accounts }: UpkeepWorld): unknown => accounts.findOrganization('acme')?.profileMarkdown

  it('comes back where it is missing, with everything beside its files', async () => {
    await world.profiles.set('acme', 'We make *boxes*.')
    await world.sidecars.drain()
    const other = await withFilesOf(world)
    await other.upkeep.rebuild()
    expect(other.accounts.findOrganization('acme')).toMatchObject({
      profileMarkdown: 'We make *boxes*.',
      profileHtml: '<p>We make <em>boxes</em>.</p>'
    })
    for (const bytes of ['one', 'two'])
      expect(await other.blobs.readSidecar(sha256(bytes))).toEqual(other.sidecars.describe(sha256(bytes)))
  })

  it('stays as it is where there is one', async () => {
    await world.profiles.set('acme', 'old')
    await world.sidecars.drain()
    const other = await withFilesOf(world)
    await other.profiles.set('acme', 'new')
    await other.upkeep.rebuild()
    expect(profileIn(other)).toBe('new')
  })

  it('stays cleared when nothing else is missing, whatever a crash left beside some files', async () => {
    await world.profiles.set('acme', 'old')
    await world.sidecars.drain()
    world.accounts.setProfile('acme', { markdown: '', html: '' })
    await world.upkeep.rebuild()
    expect(profileIn(world)).toBe('')
  })
})

describe('a sidecar that somebody else may have written', () => {
  const hash = sha256('two')
  type Sidecar = { uses: Record<string, Record<string, unknown>>[]; [key: string]: unknown }

  async function rebuiltWith(
    change: (sidecar: Sidecar, use: Record<string, Record<string, unknown>>) => unknown
  ) {
    const other = await withFilesOf(world)
    const sidecar = (await other.blobs.readSidecar(hash)) as Sidecar
    const content = change(sidecar, sidecar.uses[0] ?? {})
    writeFileSync(
      new BlobPaths(other.dataDir).sidecar(hash),
      typeof content === 'string' ? content : JSON.stringify(sidecar)
    )
    const report = await other.upkeep.rebuild()
    expect(databaseFaults(other.db)).toEqual([])
    return { other, report }
  }

  it.each<[string, (sidecar: Sidecar, use: Record<string, Record<string, unknown>>) => unknown, RegExp]>([
    ['is no JSON', () => '{', /Nothing beside the file/],
    ['is another thing', () => '[1, 2]', /Nothing beside the file/],
    ['is of another file', (sidecar) => void (sidecar['sha256'] = 'f'.repeat(64)), /Nothing beside the file/],
    ['is from a newer program', (sidecar) => void (sidecar['schema'] = 99), /newer Boxyard/],
    [
      'has a name that is a path',
      (_, use) => void (use['box']!['name'] = '../../x'),
      /may hold only letters/
    ],
    ['has a reserved organization', (_, use) => void (use['organization']!['name'] = 'api'), /is reserved/],
    [
      'has an account’s name for an organization',
      (_, use) => void (use['organization']!['name'] = 'viewer'),
      /belongs to another user/
    ],
    [
      'has no version number',
      (_, use) => void (use['version']!['number'] = 'latest'),
      /must begin with a number/
    ],
    [
      'has an unknown state',
      (_, use) => void (use['version']!['status'] = 'frozen'),
      /Nothing beside the file/
    ],
    [
      'has an endless description',
      (_, use) => void (use['box']!['description'] = 'x'.repeat(300_000)),
      /characters long/
    ],
    [
      'has an endless profile',
      (_, use) => void (use['organization']!['profile'] = 'x'.repeat(300_000)),
      /characters long/
    ],
    [
      'has a time that clients cannot read',
      (_, use) => void (use['version']!['createdAt'] = 1e300),
      /a time that is none/
    ],
    ['has a part of a millisecond', (_, use) => void (use['box']!['createdAt'] = 1.5), /a time that is none/],
    [
      'has another file’s checksum',
      (_, use) => void (use['image']!['checksum'] = 'f'.repeat(64)),
      /that of another file/
    ],
    [
      'has markup for a checksum',
      (_, use) => void (use['image']!['checksum'] = '<script>'),
      /is not a sha256/
    ],
    [
      'has an odd architecture',
      (_, use) => void (use['image']!['architecture'] = '../x86'),
      /The architecture/
    ]
  ])('and %s is told of and left out', async (_, change, pattern) => {
    const { other, report } = await rebuiltWith(change)
    expect(report.skipped).toEqual([expect.stringMatching(pattern)])
    expect(report.images).toBe(4)
    expect(other.box('tiny').versions.map(({ number }) => number)).toEqual(['2.0.0', '1.0.0'])
  })

  it('cannot smuggle markup in with a description', async () => {
    const { other } = await rebuiltWith(
      (_, use) => void (use['version']!['description'] = '<script>alert(1)</script>')
    )
    const html = other
      .box('tiny')
      .versions.map((version) => version.descriptionHtml)
      .join()
    expect(html).not.toContain('<script')
  })
})
