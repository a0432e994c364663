import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Events } from '../../../src-main/catalog/events.ts'
import type { RemoteChanges } from '../../../src-main/contract/remotes.ts'
import { Problem } from '../../../src-main/domain/problem.ts'
import type { Db } from '../../../src-main/store/open.ts'
import {
  noteBoxes,
  notAborted,
  remotesWith,
  remotesWorld,
  token,
  type Standing
} from '../../support/remotes.ts'
import { tempDir } from '../../support/temp.ts'

const certificate = rootCertificates[0] as string

const basesOf = (db: Db, remoteId: number): string[] =>
  db
    .prepare<[number], string>('SELECT organization FROM remote_boxes WHERE remote_id = ? ORDER BY 1')
    .pluck()
    .all(remoteId)

describe('a remote that is added', () => {
  it('is tried first, and kept as it introduced itself', async () => {
    const { remotes, lab, asked, openEnds, changed } = remotesWorld()
    const added = await lab()
    expect(added).toMatchObject({
      ...{ name: 'Lab', kind: 'http', location: 'https://lab.example', api: 'v2', account: 'ann' },
      ...{ organizations: ['acme'], health: 'fine', token: 'this-run', hasCertificates: false, standings: {} }
    })
    expect(asked).toMatchObject([{ token, api: null }])
    expect(openEnds()).toBe(0)
    expect(changed).toEqual([added.id])
    expect(await remotes.list()).toEqual([added])
    expect(await remotes.read(added.id)).toEqual(added)
  })

  it('is called by its place when nobody says how', async () => {
    const { remotes } = remotesWorld()
    expect((await remotes.add({ location: 'https://open.example/' })).name).toBe('open')
    expect((await remotes.add({ location: 'https://open.example/api/v2' })).name).toBe('open-2')
    expect(await remotes.add({ location: '/media/usb/' })).toMatchObject({
      name: 'usb',
      kind: 'folder',
      api: null
    })
  })

  it.each([
    [{ location: 'https://gone.example' }, 'unavailable', /Nobody answers/],
    [{ location: 'https://lab.example', token: 'wrong' }, 'invalid', /does not take/],
    [{ location: 'https://lab.example' }, 'invalid', /does not take/],
    [{ location: 'lab' }, 'invalid', /neither/],
    [{ location: 'http://lab.example' }, 'invalid', /plain http/],
    [{ location: 'https://open.example', name: '12' }, 'invalid', /number/],
    [{ location: 'https://open.example', certificates: 'none' }, 'invalid', /certificate/],
    [{ location: 'https://open.example', organizationMap: { a: '/' } }, 'invalid', /may hold only/]
  ])('as %j leaves nothing behind when it cannot be', async (input, kind, why) => {
    const { remotes } = remotesWorld()
    const adding = remotes.add(input)
    await expect(adding).rejects.toThrow(Problem)
    await expect(adding).rejects.toMatchObject({ kind, message: expect.stringMatching(why) as string })
    expect(await remotes.list()).toEqual([])
  })

  it('needs a name of its own, whatever its case', async () => {
    const { remotes, lab, asked } = remotesWorld()
    await lab()
    await expect(remotes.add({ location: 'https://open.example', name: 'LAB' })).rejects.toThrow(
      /called Lab already/
    )
    expect(asked).toHaveLength(1)
  })

  it('can be found by name without regard to case, or by number', async () => {
    const { remotes, lab } = remotesWorld()
    const added = await lab()
    expect(await remotes.named('lAB')).toEqual(added)
    expect(await remotes.named(String(added.id))).toEqual(added)
    await expect(remotes.named('other')).rejects.toThrow('There is no remote "other". There is: Lab.')
  })
})

it('trying a remote keeps nothing', async () => {
  const { remotes, changed, openEnds } = remotesWorld()
  expect(await remotes.test({ location: 'https://lab.example/api/v1', token })).toEqual({
    ...{ kind: 'http', location: 'https://lab.example', api: 'v2', account: 'ann', organizations: ['acme'] },
    ...{ what: 'what is at https://lab.example', suggestedName: 'lab', notes: [] }
  })
  expect(await remotes.list()).toEqual([])
  expect([changed, openEnds()]).toEqual([[], 0])
})

describe('a folder within the one where boxes are kept here', () => {
  it.each<[string, (dataDir: string) => string]>([
    ['itself', (dataDir) => dataDir],
    ['below it', (dataDir) => join(dataDir, 'lent')],
    [
      'by a link',
      (dataDir) => {
        const link = join(tempDir(), 'link')
        symlinkSync(join(dataDir, 'lent'), link)
        return link
      }
    ]
  ])('is no remote: %s', async (_what, folderOf) => {
    const { dataDir, remotes, world, asked } = remotesWorld()
    mkdirSync(join(dataDir, 'lent'))
    const location = folderOf(dataDir)
    world[location] = { identity: 'folder' }
    await expect(remotes.add({ location })).rejects.toThrow(/keeps its own boxes/)
    expect(asked).toEqual([])
    world[`${dataDir}-beside`] = { identity: 'folder', api: null }
    const { id } = await remotes.add({ location: `${dataDir}-beside` })
    await expect(remotes.change(id, { location })).rejects.toThrow(/keeps its own boxes/)
  })
})

describe('a row that nobody can read', () => {
  it.each(['organizations', 'organization_map'])('in its %s holds no other one up', async (column) => {
    const { db, remotes, connections, lab } = remotesWorld()
    const { id } = await lab()
    const other = await remotes.add({ location: 'https://open.example', name: 'Open' })
    db.prepare(`UPDATE remotes SET ${column} = 'x{' WHERE id = ?`).run(id)
    expect((await remotes.list()).map(({ name }) => name)).toEqual(['Lab', 'Open'])
    await (await connections.open(other.id, notAborted)).end.close()
  })

  it('in how organizations are called has nothing done with the remote under other names', async () => {
    const { db, remotes, connections, lab } = remotesWorld()
    const { id } = await lab()
    for (const map of ['x{', '[]', '{"acme":7}', 'null']) {
      db.prepare('UPDATE remotes SET organization_map = ? WHERE id = ?').run(map, id)
      await expect(connections.open(id, notAborted)).rejects.toMatchObject({ kind: 'another' })
    }
    await remotes.change(id, { organizationMap: { acme: 'lab' }, acceptIdentity: true })
    await (await connections.open(id, notAborted)).end.close()
  })
})

describe('a token', () => {
  it('comes from the environment where none was given', async () => {
    const { remotes, connections, asked } = remotesWorld()
    process.env['BOXYARD_TOKEN_MY_LAB_1'] = token
    onTestFinished(() => void delete process.env['BOXYARD_TOKEN_MY_LAB_1'])
    const added = await remotes.add({ location: 'https://lab.example', name: 'My lab-1' })
    expect(added.token).toBe('environment')
    await (await connections.open(added.id, notAborted)).end.close()
    expect(asked.map((access) => access.token)).toEqual([token, token])
    delete process.env['BOXYARD_TOKEN_MY_LAB_1']
    expect((await remotes.read(added.id)).token).toBe('none')
  })

  it('that was for one run is lost in the next, which is said, and asks the remote for nothing', async () => {
    const { db, lab, log } = remotesWorld()
    const { id } = await lab()
    const { remotes: next, connections } = remotesWith({
      ...{ db, log, events: new Events({ log }) },
      reach: () => Promise.reject(new Error('nothing should be asked'))
    })
    expect(await next.read(id)).toMatchObject({
      token: 'lost',
      tokenNote: expect.stringContaining('BOXYARD_TOKEN_LAB') as string
    })
    await expect(connections.open(id, notAborted)).rejects.toMatchObject({ kind: 'unauthorized' })
    expect(await next.read(id)).toMatchObject({ health: 'refused' })
  })

  it('is tried before it takes the place of another', async () => {
    const { remotes, connections, lab, world, asked } = remotesWorld()
    const { id } = await lab()
    await expect(remotes.change(id, { token: 'wrong' })).rejects.toThrow(/does not take/)
    await (await connections.open(id, notAborted)).end.close()
    expect(asked.at(-1)?.token).toBe(token)
    world['https://lab.example'] = { identity: 'lab', wants: 'second' }
    await remotes.change(id, { token: 'second' })
    await (await connections.open(id, notAborted)).end.close()
    expect(asked.at(-1)?.token).toBe('second')
  })

  it('is taken without what came along when it was copied', async () => {
    const { remotes, asked } = remotesWorld()
    await remotes.add({ location: 'https://lab.example', token: ` ${token}\r\n` })
    expect(asked).toMatchObject([{ token }])
  })

  it.each(['two tokens', 'line\nbreak', 'tökén', 'a\u0000b'])('cannot be %j', async (odd) => {
    const { remotes, lab, asked } = remotesWorld()
    const { id } = await lab()
    const input = { location: 'https://lab.example', token: odd }
    for (const trying of [remotes.test(input), remotes.add(input), remotes.change(id, { token: odd })]) {
      await expect(trying).rejects.toThrow(/in no token/)
      await expect(trying).rejects.not.toThrow(odd)
    }
    expect(asked).toHaveLength(1)
  })

  it('can be taken away', async () => {
    const { remotes, connections, lab, world, asked } = remotesWorld()
    const { id } = await lab()
    world['https://lab.example'] = { identity: 'lab' }
    expect(await remotes.change(id, { token: '' })).toMatchObject({ token: 'none', account: null })
    await (await connections.open(id, notAborted)).end.close()
    expect(asked.at(-1)?.token).toBeNull()
  })
})

describe('a registry that tells itself by whom it knows us as', () => {
  const elsewhere = 'https://hosted.example'
  function hosted() {
    const all = remotesWorld()
    const as = (account: string): Standing => ({
      identity: `at ${elsewhere} as ${account}`,
      account,
      wants: account
    })
    all.world[elsewhere] = as('ann')
    return { ...all, as, add: () => all.remotes.add({ location: elsewhere, token: 'ann' }) }
  }

  it('stays the same with a token of somebody else, with whom nothing was agreed', async () => {
    const { db, remotes, connections, world, as, add } = hosted()
    const { id } = await add()
    noteBoxes(db, id, ['acme', 'in-step'])
    world[elsewhere] = as('bob')
    expect(await remotes.change(id, { token: 'bob' })).toMatchObject({ account: 'bob', standings: {} })
    await (await connections.open(id, notAborted)).end.close()
  })

  it('stays the same without a token', async () => {
    const { remotes, connections, world, add } = hosted()
    const { id } = await add()
    await remotes.change(id, { token: '' })
    world[elsewhere] = { identity: `at ${elsewhere} as nobody` }
    await (await connections.open(id, notAborted)).end.close()
  })

  it('is another when it knows us as somebody else by itself', async () => {
    const { connections, world, as, add } = hosted()
    const { id } = await add()
    world[elsewhere] = { ...as('bob'), wants: 'ann' }
    await expect(connections.open(id, notAborted)).rejects.toMatchObject({ kind: 'another' })
  })
})

it('a token of the environment goes to a name that was said, never to one that was guessed', async () => {
  const { remotes, asked } = remotesWorld()
  process.env['BOXYARD_TOKEN_LAB'] = token
  onTestFinished(() => void delete process.env['BOXYARD_TOKEN_LAB'])
  await expect(remotes.test({ location: 'https://lab.example' })).rejects.toThrow()
  expect(asked).toMatchObject([{ token: null }])
})

it('this very Boxyard is no remote of its own', async () => {
  const { db, remotes, world } = remotesWorld()
  db.prepare("INSERT INTO settings (key, value) VALUES ('registryId', '\"1234-5678\"')").run()
  world['https://me.example'] = { identity: 'registry 1234-5678' }
  await expect(remotes.add({ location: 'https://me.example' })).rejects.toThrow(/this very Boxyard/)
})

describe('a change', () => {
  it('of what does not concern the remote asks it nothing', async () => {
    const { remotes, lab, asked } = remotesWorld()
    const { id } = await lab()
    const changes: RemoteChanges = { name: 'LAB', checkMinutes: null, organizationMap: { home: 'acme' } }
    expect(await remotes.change(id, changes)).toMatchObject(changes)
    expect(asked).toHaveLength(1)
  })

  it('of the name may not take that of another', async () => {
    const { remotes, lab } = remotesWorld()
    const { id } = await lab()
    await remotes.add({ location: 'https://open.example', name: 'Open' })
    await expect(remotes.change(id, { name: 'oPEN' })).rejects.toThrow(/called Open already/)
    await expect(remotes.change(id, { name: ' ' })).rejects.toThrow(/begin or end/)
    expect((await remotes.read(id)).name).toBe('Lab')
  })

  it('of the address goes on with the same registry, and keeps what was agreed', async () => {
    const { db, remotes, lab, world } = remotesWorld()
    const { id } = await lab()
    noteBoxes(db, id, ['acme', 'in-step'])
    world['https://moved.example'] = world['https://lab.example'] as Standing
    expect(await remotes.change(id, { location: 'https://moved.example/', token })).toMatchObject({
      location: 'https://moved.example',
      standings: { 'in-step': 1 }
    })
  })

  it.each([
    [{ location: 'https://open.example' }, 'invalid', /is not sent anywhere else/],
    [{ location: 'https://open.example', token }, 'conflict', /Something else answers/],
    [{ location: '/media/usb' }, 'invalid', /is a registry/],
    [{ location: 'https://gone.example', token }, 'unavailable', /Nobody answers/],
    [{ location: 'http://open.example', token }, 'invalid', /plain http/],
    [{ certificates: 'x' }, 'invalid', /certificate/]
  ])('to %j changes nothing', async (changes, kind, why) => {
    const { remotes, lab } = remotesWorld()
    const before = await lab()
    await expect(remotes.change(before.id, changes)).rejects.toMatchObject({
      kind,
      message: expect.stringMatching(why) as string
    })
    expect(await remotes.read(before.id)).toEqual(before)
  })

  it('of the certificates is tried, and can be taken back', async () => {
    const { remotes, lab, asked } = remotesWorld()
    const { id } = await lab()
    expect((await remotes.change(id, { certificates: certificate })).hasCertificates).toBe(true)
    expect(asked.at(-1)?.certificates).toBe(certificate.trim())
    expect((await remotes.change(id, { certificates: '' })).hasCertificates).toBe(false)
  })

  it('of how organizations are called forgets what was agreed under the other names, and nothing else', async () => {
    const { db, remotes, lab } = remotesWorld()
    const { id } = await lab()
    await remotes.change(id, { organizationMap: { lab: 'acme', home: 'house' } })
    noteBoxes(db, id, ['lab', 'in-step'], ['home', 'in-step'], ['other', 'in-step'])
    await remotes.change(id, { organizationMap: { LAB: 'Acme', other: 'else' } })
    expect(basesOf(db, id)).toEqual(['lab'])
  })

  it('of a remote that is gone is refused', async () => {
    await expect(remotesWorld().remotes.change(7, { name: 'x' })).rejects.toMatchObject({ kind: 'missing' })
  })
})

describe('a remote that is removed', () => {
  it('leaves its number to no other: what still names it must not reach the next', async () => {
    const { remotes, lab } = remotesWorld()
    const { id } = await lab()
    await remotes.remove(id)
    expect((await remotes.add({ location: 'https://open.example' })).id).toBeGreaterThan(id)
  })

  it('takes its token with it, and can be opened no more', async () => {
    const { db, remotes, connections, lab, keychain, changed } = remotesWorld()
    const { id } = await lab()
    const tokenName = db.prepare<[], string>('SELECT token_name FROM remotes').pluck().get() as string
    const name = tokenName.replace(/^run:/, '')
    expect(keychain.findOfRun(name).secret).toBe(token)
    await remotes.remove(id)
    expect(keychain.findOfRun(name).secret).toBeNull()
    expect(await remotes.list()).toEqual([])
    expect(changed).toEqual([id, id])
    await expect(connections.open(id, notAborted)).rejects.toMatchObject({ kind: 'missing' })
    await expect(remotes.remove(id)).rejects.toMatchObject({ kind: 'missing' })
  })
})

it('boxes that were mirrors of a removed remote are own ones', async () => {
  const { db, remotes, lab } = remotesWorld()
  const { id } = await lab()
  db.pragma('foreign_keys = OFF') // the box itself is of no interest here
  db.prepare('INSERT INTO mirrored_boxes (box_id, remote_id) VALUES (1, ?)').run(id)
  db.pragma('foreign_keys = ON')
  noteBoxes(db, id, ['acme', 'in-step'])
  await remotes.remove(id)
  expect(db.prepare('SELECT count(*) FROM mirrored_boxes').pluck().get()).toBe(0)
  expect(basesOf(db, id)).toEqual([])
})
