import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Authentication } from '../../src-main/access/authentication.ts'
import { silentLog } from '../../src-main/log.ts'
import { accessWorld, openTestCatalogue } from '../support/access.ts'
import { tempDir } from '../support/temp.ts'

const cli = resolve(import.meta.dirname, '../../src-main/cli.ts')

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** One command in a process of its own. */
function run(dataDir: string, args: readonly string[], input = ''): Promise<Ended> {
  const child = spawn(process.execPath, [cli, ...args], { env: { ...process.env, BOXYARD_DATA: dataDir } })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString('utf8')))
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString('utf8')))
  child.stdin.on('error', () => undefined) // it may have ended before it read anything
  child.stdin.end(input)
  return new Promise((done) => child.on('close', (code) => done({ code, out, err })))
}

/** A data folder with an owner, as the first start leaves it. */
function owned(): string {
  const { accounts, dataDir } = accessWorld()
  accounts.ensureOwner('owner')
  return dataDir
}

const token = /^boxyard_[A-Za-z0-9_-]{43}\n$/

describe('boxyard token', () => {
  it('create prints a token alone, which works, for the owner or a user', async () => {
    const dataDir = owned()
    await accessWorld(dataDir).accounts.addUser('alice')
    const created = await Promise.all([
      run(dataDir, ['token', 'create', '--description', 'build machine']),
      run(dataDir, ['token', 'create', '--user', 'ALICE', '--data', dataDir])
    ])
    const authentication = new Authentication(openTestCatalogue(dataDir), silentLog)
    const names = created.map(({ code, out, err }) => {
      expect([code, err]).toEqual([0, ''])
      expect(out).toMatch(token)
      return authentication.callerFor(out.trim())?.name
    })
    expect(names).toEqual(['owner', 'alice'])
  })

  it('create says what to do where there is no owner yet', async () => {
    const { code, out, err } = await run(tempDir(), ['token', 'create'])
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(/^boxyard: There is no owner yet.*Run `boxyard serve` once.*`boxyard user add`.*\n$/)
  })

  it('list shows all but the tokens themselves, and revoke ends one', async () => {
    const dataDir = owned()
    const { out: text } = await run(dataDir, ['token', 'create', '--description', 'laptop \x1b[31m'])
    const list = await run(dataDir, ['token', 'list'])
    expect([list.code, list.err]).toEqual([0, ''])
    expect(list.out).toMatch(
      /^ID {2}USER +DESCRIPTION +CREATED +LAST USED\n1 {3}owner {2}laptop \?\[31m .* never\n$/
    )
    const json = await run(dataDir, ['token', 'list', '--json'])
    expect(JSON.parse(json.out)).toEqual([
      {
        id: 1,
        user: 'owner',
        description: 'laptop \x1b[31m',
        createdAt: expect.any(String),
        lastUsedAt: null
      }
    ])
    expect(list.out + json.out).not.toContain(text.trim())
    expect(await run(dataDir, ['token', 'revoke', '1'])).toEqual({
      code: 0,
      out: 'Token 1 is revoked.\n',
      err: ''
    })
    expect(await run(dataDir, ['token', 'revoke', '1'])).toEqual({
      code: 1,
      out: '',
      err: 'boxyard: There is no token 1.\n'
    })
    expect(new Authentication(openTestCatalogue(dataDir), silentLog).callerFor(text.trim())).toBeNull()
  })
})

describe('boxyard user', () => {
  it('adds users whose passwords come from standard input, without the newline of a shell', async () => {
    const dataDir = tempDir()
    const add = ['user', 'add', 'alice', '--email', 'alice@example.org', '--password-stdin']
    expect(await run(dataDir, add, 'correct horse\n')).toEqual({
      code: 0,
      out: 'User alice is added.\n',
      err: ''
    })
    const { signIn } = accessWorld(dataDir)
    await expect(
      signIn.signIn({ login: 'alice@example.org', password: 'correct horse' })
    ).resolves.toHaveProperty('token')
    expect(
      await run(dataDir, ['user', 'password', 'Alice', '--password-stdin'], ' new horse \r\n')
    ).toMatchObject({
      code: 0,
      out: 'The password of Alice is set.\n'
    })
    await expect(signIn.signIn({ login: 'alice', password: ' new horse ' })).resolves.toHaveProperty('token')
    expect(await run(dataDir, ['user', 'password', 'alice', '--password-stdin'], '\n')).toEqual({
      code: 1,
      out: '',
      err: 'boxyard: The password is too short; 6 characters are the least.\n'
    })
  })

  it('two-factor prints the secret, its address and what to do with them', async () => {
    const dataDir = tempDir()
    await run(dataDir, ['user', 'add', 'alice'])
    const on = await run(dataDir, ['user', 'two-factor', 'alice', 'on'])
    expect([on.code, on.err]).toEqual([0, ''])
    const secret = /^secret: ([A-Z2-7]{32})$/m.exec(on.out)?.[1] ?? 'none'
    expect(on.out).toContain(`url: otpauth://totp/Boxyard:alice?secret=${secret}&issuer=Boxyard\n`)
    expect(on.out).toContain('authenticator app')
    expect(await run(dataDir, ['user', 'two-factor', 'alice', 'on'])).toMatchObject({ code: 1, out: '' })
    expect(await run(dataDir, ['user', 'two-factor', 'alice', 'off'])).toEqual({
      code: 0,
      out: 'Two-factor authentication is off for alice.\n',
      err: ''
    })
  })

  it('list shows who there is and what they are members of', async () => {
    const dataDir = owned()
    const list = await run(dataDir, ['user', 'list'])
    expect(list.out).toMatch(/^NAME .*\nowner +none +off +.* UTC {2}owner \(admin\)\n$/)
    expect(JSON.parse((await run(dataDir, ['user', 'list', '--json'])).out)).toEqual([
      {
        name: 'owner',
        email: null,
        hasPassword: false,
        hasTwoFactor: false,
        createdAt: expect.any(String),
        organizations: { owner: 'admin' }
      }
    ])
  })
})

describe('boxyard org', () => {
  it('adds organizations and moves members in, up and out', async () => {
    const dataDir = owned()
    const out = async (...args: string[]) => {
      const ended = await run(dataDir, args)
      expect([ended.code, ended.err]).toEqual([0, ''])
      return ended.out
    }
    await out('user', 'add', 'bob')
    expect(await out('org', 'add', 'Acme', '--owner', 'owner')).toBe(
      'Organization Acme is added; owner is its admin.\n'
    )
    expect(await out('org', 'member', 'acme', 'bob', 'contributor')).toBe('bob is contributor of acme.\n')
    expect(await out('org', 'list')).toMatch(
      /\nAcme +owner +.* UTC {2}bob \(contributor\), owner \(admin\)\nowner /
    )
    expect(await out('org', 'member', 'acme', 'bob', 'none')).toBe('bob is no member of acme.\n')
    expect(JSON.parse(await out('org', 'list', '--json'))).toMatchObject([
      { name: 'Acme', owner: 'owner', members: { owner: 'admin' } },
      { name: 'owner', owner: 'owner', members: { owner: 'admin' } }
    ])
    expect(await run(dataDir, ['org', 'member', 'acme', 'owner', 'none'])).toMatchObject({
      code: 1,
      err: 'boxyard: owner is the last admin of Acme; make somebody else one first.\n'
    })
  })
})

describe('a command that cannot be carried out', () => {
  it.each([
    [2, ['token', 'revoke', 'x'], 'An id is a whole number'],
    [2, ['org', 'add', 'acme'], "required option '--owner <user>'"],
    [1, ['token', 'create', '--user', 'nobody'], 'boxyard: There is no user "nobody".\n'],
    [1, ['user', 'add', 'OWNER'], 'boxyard: There is a user "OWNER" already.\n'],
    [1, ['org', 'member', 'nowhere', 'owner', 'admin'], 'There is no organization "nowhere".'],
    [1, ['token', 'list', '--data', '/dev/null/x'], 'boxyard: ']
  ])('ends with %i: %j', async (code, args, why) => {
    const ended = await run(owned(), args)
    expect([ended.code, ended.out]).toEqual([code, ''])
    expect(ended.err).toContain(why)
    expect(ended.err).not.toMatch(/^ +at /m)
    if (code === 1) expect(ended.err.match(/\n/g)).toHaveLength(1)
  })

  it('refuses a flood on standard input', async () => {
    const flood = await run(owned(), ['user', 'password', 'owner', '--password-stdin'], 'x'.repeat(3_000_000))
    expect(flood).toMatchObject({ code: 1, out: '', err: expect.stringContaining('that is too much') })
  })
})

it('makes each of many users once when many processes try at the same time', async () => {
  const dataDir = tempDir()
  const results = await Promise.all(
    ['a', 'A', 'a', 'b', 'B', 'b'].map((name) => run(dataDir, ['user', 'add', name]))
  )
  expect(results.map(({ code }) => code).sort()).toEqual([0, 0, 1, 1, 1, 1])
  expect(results.filter(({ code }) => code === 1).map(({ err }) => err)).toEqual(
    Array(4).fill(expect.stringMatching(/^boxyard: There is a user "[aAbB]" already\.\n$/))
  )
})
