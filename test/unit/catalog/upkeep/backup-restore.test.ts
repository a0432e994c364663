import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { beforeEach, describe, expect, it } from 'vitest'
import { BlobPaths } from '../../../../src-main/blobs/paths.ts'
import { ArchiveWriter, entriesOf, readEntry } from '../../../../src-main/catalog/upkeep/archive.ts'
import { mirroring, operator } from '../../../../src-main/domain/model.ts'
import { Preferences } from '../../../../src-main/settings/preferences.ts'
import { PersonSettings } from '../../../../src-main/settings/settings.ts'
import { openCatalogue } from '../../../../src-main/store/open.ts'
import { settingsTable } from '../../../../src-main/store/settings.ts'
import { laterRefusal } from '../../../support/catalog.ts'
import { tempDir } from '../../../support/temp.ts'
import { upkeepWorld, type UpkeepWorld } from '../../../support/upkeep.ts'
import { sha256 } from '../../../support/sha256.ts'

let world: UpkeepWorld
let file: string

beforeEach(async () => {
  world = await upkeepWorld()
  world.addBox()
  await world.addReleased('1.0.0', 'tiny', 'the first')
  await world.addReleased('2.0.0', 'tiny', 'x'.repeat(3_000_000))
  await world.sidecars.drain()
  file = join(tempDir(), 'backup.tar')
})

const backUp = (options: { catalogueOnly?: boolean; force?: boolean } = {}) =>
  world.upkeep.backUp({ file, catalogueOnly: options.catalogueOnly ?? false, force: options.force ?? false })

/** Names and contents of everything in a data folder that a restore could change. */
function contentOf(dataDir: string): unknown {
  const db = new Database(join(dataDir, 'catalogue.sqlite'), { readonly: true })
  const tables = ['users', 'organizations', 'boxes', 'versions', 'blobs', 'images', 'uploads', 'settings']
  const rows = tables.map((table) => db.prepare(`SELECT * FROM ${table}`).all())
  db.close()
  return {
    rows,
    files: [...filesIn(dataDir, 'blobs'), ...filesIn(dataDir, 'uploads'), ...filesIn(dataDir, 'backups')]
  }
}

const filesIn = (dataDir: string, folder: string): string[] =>
  existsSync(join(dataDir, folder))
    ? readdirSync(join(dataDir, folder), { recursive: true, encoding: 'utf8' }).sort()
    : []

describe('a backup', () => {
  it('is one file for its owner alone, with everything another machine needs and no key', async () => {
    writeFileSync(join(world.dataDir, 'vault.key'), 'secret')
    const report = await backUp()
    expect(report).toEqual({ file, size: statSync(file).size, blobs: 2, left: 0 })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const names: string[] = []
    const handle = await open(file)
    for await (const { name } of entriesOf(handle)) names.push(name)
    await handle.close()
    const blobs = [sha256('the first'), sha256('x'.repeat(3_000_000))].sort()
    expect(names).toEqual([
      'boxyard-backup.json',
      'catalogue.sqlite',
      ...blobs.map((hash) => `blobs/sha256/${hash.slice(0, 2)}/${hash}`)
    ])
    expect(readdirSync(join(file, '..'))).toEqual(['backup.tar'])
    expect(filesIn(world.dataDir, '.').filter((name) => name.startsWith('catalogue.copy'))).toEqual([])
  })

  it('replaces no file unless told to', async () => {
    writeFileSync(file, 'precious')
    await laterRefusal('conflict', backUp())
    expect(readFileSync(file, 'utf8')).toBe('precious')
    await backUp({ force: true })
    expect(readFileSync(file, 'utf8')).not.toBe('precious')
  })

  it.each([
    ['changed', (path: string) => writeFileSync(path, 'THE first')],
    ['cut short', (path: string) => truncateSync(path, 3)],
    ['gone', (path: string) => rmSync(path)]
  ])('is not made of a file that is %s', async (_, damage) => {
    damage(new BlobPaths(world.dataDir).blob(sha256('the first')))
    const [sentence] = await laterRefusal('unavailable', backUp())
    expect(sentence).toContain('damaged or missing, so the backup was not made')
    expect(readdirSync(join(file, '..'))).toEqual([])
    await world.upkeep.verify({})
    expect(await backUp()).toMatchObject({ blobs: 1, left: 1 })
  })
})

describe('a restore', () => {
  it('brings everything to an empty folder', async () => {
    await backUp()
    const before = world.allBoxes()
    const other = await upkeepWorld()
    expect(await other.upkeep.restore(file)).toMatchObject({ added: 2, missing: 0 })
    expect(other.allBoxes()).toEqual(before)
    expect((await other.upkeep.verify({})).problems).toEqual([])
    expect(await other.blobs.readSidecar(sha256('the first'))).toEqual(
      await world.blobs.readSidecar(sha256('the first'))
    )
    expect(filesIn(other.dataDir, 'uploads')).toEqual([])
  })

  it('takes a folder back, under other processes that go on using it', async () => {
    const server = openCatalogue(world.dataDir)
    const count = server.prepare('SELECT count(*) FROM boxes').pluck()
    await backUp()
    const before = world.allBoxes()
    world.addBox('later')
    world.boxes.remove(operator, 'acme', 'tiny')
    const { added, safetyCopy } = await world.upkeep.restore(file)
    expect(added).toBe(0)
    expect(count.get()).toBe(1)
    expect(world.allBoxes()).toEqual(before)
    world.addBox('after')
    expect(count.get()).toBe(2)
    server.close()
    const copy = new Database(safetyCopy, { readonly: true })
    expect(copy.prepare('SELECT name FROM boxes').pluck().all()).toEqual(['later'])
    copy.close()
  })

  it.each([true, false, null])('leaves maintenance as it was: %s', async (maintenance) => {
    const settings = settingsTable(world.db)
    settings.set('maintenance', maintenance === null ? true : !maintenance)
    await backUp()
    settings.set('maintenance', maintenance)
    await world.upkeep.restore(file)
    expect(settings.get('maintenance')).toBe(maintenance)
  })

  it('leaves the settings and preferences of this machine as they are', async () => {
    const elsewhere = new PersonSettings(world.db, world.log)
    elsewhere.change({ shareOnLan: true, port: 80, allowedHosts: ['theirs'], startAtLogin: true })
    new Preferences(world.db).write('library.sort', 'size')
    new Preferences(world.db).write('window', { width: 4000 })
    await backUp()
    const other = await upkeepWorld()
    const settings = new PersonSettings(other.db, other.log)
    settings.change({ port: 8080, appearance: 'dark' })
    const preferences = new Preferences(other.db)
    preferences.write('window', { width: 900 })
    const [settingsBefore, preferencesBefore] = [settings.read(), preferences.read()]
    await other.upkeep.restore(file)
    expect(settings.look()).toEqual(settingsBefore)
    expect(preferences.read()).toEqual(preferencesBefore)
    expect(other.accounts.owner()?.name).toBe('owner')
  })

  it('keeps what is set while it is under way', async () => {
    await backUp()
    const other = await upkeepWorld()
    const settings = new PersonSettings(other.db, other.log)
    await other.upkeep.restore(file, () => void settings.change({ graceHours: 5 }))
    expect(settings.look().graceHours).toBe(5)
  })

  it('of the catalogue alone says which images have no bytes, until they come', async () => {
    await backUp({ catalogueOnly: true })
    const other = await upkeepWorld()
    expect(await other.upkeep.restore(file)).toMatchObject({ added: 0, missing: 2 })
    expect((await other.upkeep.verify({})).problems).toHaveLength(2)
    await backUp({ force: true })
    expect(await other.upkeep.restore(file)).toMatchObject({ added: 2, missing: 0 })
    expect((await other.upkeep.verify({})).problems).toEqual([])
  })

  it('keeps the three newest safety copies', async () => {
    await backUp()
    for (let i = 0; i < 5; i++) await world.upkeep.restore(file)
    expect(filesIn(world.dataDir, 'backups')).toHaveLength(3)
  })
})

describe('a backup that is not what it should be leaves everything as it was', () => {
  const manifest = (over: Record<string, unknown> = {}) => ({
    format: 'boxyard-backup',
    version: 1,
    program: '0.1.0',
    createdAt: '2026-01-31T12:00:00.000Z',
    blobs: 1,
    bytes: 4,
    catalogueOnly: false,
    ...over
  })
  const hash = createHash('sha256').update('abcd').digest('hex')
  const blob = (of: string) => `blobs/sha256/${of.slice(0, 2)}/${of}`

  /** An archive of these files, the database of a real backup among them. */
  async function archiveOf(...files: [name: string, content: string | Buffer][]): Promise<void> {
    const handle = await open(file, 'w')
    const archive = new ArchiveWriter(handle, 0)
    for (const [name, content] of files)
      await archive.add(
        name,
        Buffer.byteLength(content),
        async (entry) => void (content.length && entry.write(content))
      )
    await archive.finish()
    await handle.close()
  }

  async function database(): Promise<Buffer> {
    await backUp({ catalogueOnly: true })
    const handle = await open(file)
    for await (const entry of entriesOf(handle))
      if (entry.name === 'catalogue.sqlite') {
        const chunks: Buffer[] = []
        for await (const chunk of readEntry(handle, entry)) chunks.push(chunk as Buffer)
        await handle.close()
        return Buffer.concat(chunks)
      }
    throw new Error('no database')
  }

  async function expectNothingChanged(target: UpkeepWorld, pattern: RegExp): Promise<void> {
    target.addBox('precious')
    const before = contentOf(target.dataDir)
    await expect(target.upkeep.restore(file)).rejects.toThrow(pattern)
    expect(contentOf(target.dataDir)).toEqual(before)
    expect(filesIn(target.dataDir, '.').filter((name) => name.startsWith('catalogue.copy'))).toEqual([])
  }

  it.each<[string, (db: Buffer) => [string, string | Buffer][], RegExp]>([
    ['nothing in it', () => [], /another program/],
    ['no description first', (db) => [['catalogue.sqlite', db]], /another program/],
    [
      'a description that is no JSON',
      (db) => [
        ['boxyard-backup.json', '{'],
        ['catalogue.sqlite', db]
      ],
      /cannot be read/
    ],
    [
      'an endless description',
      (db) => [
        ['boxyard-backup.json', ' '.repeat(70_000)],
        ['catalogue.sqlite', db]
      ],
      /too long/
    ],
    [
      'a newer format',
      (db) => [
        ['boxyard-backup.json', JSON.stringify(manifest({ version: 2 }))],
        ['catalogue.sqlite', db]
      ],
      /newer Boxyard/
    ],
    ['no database', () => [['boxyard-backup.json', JSON.stringify(manifest())]], /no database/],
    [
      'an empty database',
      () => [
        ['boxyard-backup.json', JSON.stringify(manifest({ blobs: 0, bytes: 0 }))],
        ['catalogue.sqlite', '']
      ],
      /not a catalogue/
    ],
    [
      'garbage for a database',
      () => [
        ['boxyard-backup.json', JSON.stringify(manifest({ blobs: 0, bytes: 0 }))],
        ['catalogue.sqlite', 'x'.repeat(9000)]
      ],
      /not a catalogue/
    ],
    [
      'fewer images than it says',
      (db) => [
        ['boxyard-backup.json', JSON.stringify(manifest())],
        ['catalogue.sqlite', db]
      ],
      /images are not in it/
    ],
    [
      'an image with other bytes',
      (db) => [
        ['boxyard-backup.json', JSON.stringify(manifest())],
        ['catalogue.sqlite', db],
        [blob(hash), 'dcba']
      ],
      /does not have the bytes/
    ],
    [
      'an image twice',
      (db) => [
        ['boxyard-backup.json', JSON.stringify(manifest({ blobs: 2, bytes: 8 }))],
        ['catalogue.sqlite', db],
        [blob(hash), 'abcd'],
        [blob(hash), 'abcd']
      ],
      /does not belong/
    ],
    [
      'a path out of the folder',
      (db) => [
        ['boxyard-backup.json', JSON.stringify(manifest())],
        ['catalogue.sqlite', db],
        ['../../etc/cron.d/x', 'abcd']
      ],
      /does not belong/
    ],
    [
      'an image on the wrong shelf',
      (db) => [
        ['boxyard-backup.json', JSON.stringify(manifest())],
        ['catalogue.sqlite', db],
        [`blobs/sha256/00/${hash}`, 'abcd']
      ],
      /does not belong/
    ],
    [
      'another file',
      (db) => [
        ['boxyard-backup.json', JSON.stringify(manifest())],
        ['catalogue.sqlite', db],
        ['vault.key', 'abcd']
      ],
      /does not belong/
    ]
  ])('%s', async (_, files, pattern) => {
    const db = await database()
    await archiveOf(...files(db))
    await expectNothingChanged(await upkeepWorld(), pattern)
  })

  it('a database with damaged pages', async () => {
    const db = await database()
    db.fill(0x5a, 8192 * 5, 8192 * 12)
    await archiveOf(
      ['boxyard-backup.json', JSON.stringify(manifest({ blobs: 0, bytes: 0 }))],
      ['catalogue.sqlite', db]
    )
    await expectNothingChanged(await upkeepWorld(), /damaged/)
  })

  it.each([100, 1024, 2000, 2_999_000])('its last %i bytes cut off', async (bytes) => {
    await backUp()
    truncateSync(file, statSync(file).size - bytes)
    await expectNothingChanged(await upkeepWorld(), /cut off/)
  })

  it('one bit of the last image changed, after others were read', async () => {
    await backUp()
    const content = readFileSync(file)
    content[content.length - 1024 - 600] = 0x79
    writeFileSync(file, content)
    await expectNothingChanged(await upkeepWorld(), /does not have the bytes/)
  })

  it('one bit changed in an image that is here already', async () => {
    await backUp()
    const content = readFileSync(file)
    content[content.length - 1024 - 600] = 0x79
    writeFileSync(file, content)
    await expectNothingChanged(world, /does not have the bytes/)
  })

  it.each([
    ['is not there', () => {}],
    ['is no archive', () => writeFileSync(file, 'Dear diary, '.repeat(1000))],
    ['is empty', () => writeFileSync(file, '')]
  ])('one that %s', async (_, make) => {
    make()
    await expectNothingChanged(world, /cannot be read|not a backup/)
  })
})

describe('a restore, of remotes', () => {
  const row = (sql: string): unknown => world.db.prepare(sql).raw().all()
  const addBase = (remoteId: number, box: string, localStamp: string | null): void =>
    void world.db
      .prepare(
        `INSERT INTO remote_boxes (remote_id, tag_key, organization, name, base, remote_stamp, local_stamp, standing, checked_at)
         VALUES (?, ?, 'acme', ?, '{}', 'r', ?, 'in-step', 1)`
      )
      .run(remoteId, `acme/${box}`, box, localStamp)
  const stampOf = (box: string): string => `${world.box(box).updatedAt}.${world.box(box).revision}`
  const addTransfer = (id: string, remoteId: number): void => {
    world.db
      .prepare(
        `INSERT INTO transfers (id, remote_id, remote_name, direction, organization, name, tag_key, request, state,
           position, created_at) VALUES (?, ?, 'Lab', 'pull', 'acme', 'tiny', 'acme/tiny', '{}', 'queued', 1, 1)`
      )
      .run(id, remoteId)
    world.db
      .prepare(
        `INSERT INTO transfer_steps (transfer_id, ordinal, key, step, state) VALUES (?, 0, 'k', '{}', 'pending')`
      )
      .run(id)
  }

  it('keeps those of this machine, and what is on its way, and nothing of the kind that the backup has', async () => {
    const lab = world.addRemote('Lab')
    addTransfer('old', lab)
    await backUp()
    world.db.exec('DELETE FROM transfers')
    const other = world.addRemote('Other')
    addTransfer('new', other)
    world.db
      .prepare(`INSERT INTO mirror_rules (remote_id, rule, created_at) VALUES (?, '{"boxes":"*"}', 1)`)
      .run(other)
    world.db.prepare('DELETE FROM remotes WHERE id = ?').run(lab)
    const [rules, steps] = [row('SELECT * FROM mirror_rules'), row('SELECT * FROM transfer_steps')]
    await world.upkeep.restore(file)
    expect(row('SELECT name FROM remotes')).toEqual([['Other']])
    expect(row('SELECT id, remote_id, state FROM transfers')).toEqual([['new', other, 'queued']])
    expect([row('SELECT * FROM mirror_rules'), row('SELECT * FROM transfer_steps')]).toEqual([rules, steps])
  })

  it('keeps mirrors of remotes that are here too, whatever their number, and makes the others own boxes', async () => {
    const [gone, lab] = [world.addRemote('Gone'), world.addRemote('Lab')]
    for (const [box, remoteId] of [
      ['one', gone],
      ['two', lab]
    ] as const) {
      const as = mirroring(remoteId)
      world.synced.createBox(as, 'acme', box, { shortDescription: '', description: '', private: false })
      world.versions.create(as, 'acme', box, { number: '1.0.0' })
      world.synced.createImage(
        as,
        { ...world.refTo({ box }), architecture: 'amd64' },
        {
          ...{ url: null, checksums: {}, known: { size: 3 }, isDefault: true }
        }
      )
    }
    await backUp()
    world.db.exec('DELETE FROM remotes')
    world.addRemote('Another')
    world.addRemote('Third')
    world.addRemote('Lab')
    await world.upkeep.restore(file)
    expect(world.mirrored.of('acme', 'one')).toBeNull()
    expect(world.mirrored.of('acme', 'two')).toMatchObject({ remoteName: 'Lab' })
    const listed = world.db
      .prepare<[], [string, number]>(
        "SELECT tag_key, origin FROM listings WHERE tag_key IN ('acme/one', 'acme/two') ORDER BY 1"
      )
      .raw()
    expect(listed.all()).toEqual([
      ['acme/one', 0],
      ['acme/two', 2]
    ])
    expect(world.image({ box: 'one' }).known).toBeNull()
    expect(world.image({ box: 'two' })).toMatchObject({ known: { checksums: {} }, size: 3 })
  })

  it('forgets what was agreed on of boxes that are others in the backup', async () => {
    const lab = world.addRemote('Lab')
    world.addBox('changed')
    world.addBox('unsure')
    await backUp()
    world.boxes.update(operator, 'acme', 'changed', { description: 'later' })
    world.addBox('later')
    for (const box of ['tiny', 'changed', 'later']) addBase(lab, box, stampOf(box))
    addBase(lab, 'unsure', null)
    await world.upkeep.restore(file)
    expect(row('SELECT name FROM remote_boxes WHERE base IS NOT NULL')).toEqual([['tiny']])
    expect(row('SELECT count(*) FROM remote_boxes WHERE base IS NULL AND local_stamp IS NULL')).toEqual([[3]])
  })
})
