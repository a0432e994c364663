import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { httpTransport } from '../../src-renderer/http-transport.ts'
import {
  keyringMissing,
  startSession,
  startSilentBus,
  withoutSession,
  type Session
} from '../support/keyring.ts'
import { browserAt } from '../support/browser.ts'
import { boxyard, serve, type Served } from '../support/product.ts'
import { tempDir } from '../support/temp.ts'

const missing = keyringMissing()
if (missing !== null) console.log(`SKIPPED tests of remotes whose tokens are in the keychain: ${missing}`)

/** A second Boxyard, whose owner's token is known. */
interface Lab {
  readonly served: Served
  readonly dataDir: string
  readonly token: string
}

async function startLab(): Promise<Lab> {
  const dataDir = tempDir()
  const served = await serve(dataDir, ['--owner', 'acme'])
  onTestFinished(async () => void (await served.stop()))
  const token = await boxyard(['token', 'create', '--data', dataDir])
  return { served, dataDir, token }
}

async function openSession(options?: Parameters<typeof startSession>[0]): Promise<Session> {
  const session = await startSession(options)
  onTestFinished(() => session.end())
  return session
}

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Commands on one data folder in one session, and all that they ever printed. */
function here(env: NodeJS.ProcessEnv = withoutSession()) {
  const dataDir = tempDir()
  const printed: string[] = []
  const entry = process.env['BOXYARD_OUT']
    ? resolve(process.env['BOXYARD_OUT'], 'main/cli.js')
    : resolve(import.meta.dirname, '../../src-main/cli.ts')
  const run = async (args: readonly string[], input = '', more: NodeJS.ProcessEnv = {}): Promise<Ended> => {
    const child = spawn(process.execPath, [entry, 'remote', ...args, '--data', dataDir], {
      env: { ...env, ...more }
    })
    let [out, err] = ['', '']
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString('utf8')))
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString('utf8')))
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
    const code = await new Promise<number | null>((done) => child.on('close', done))
    printed.push(out, err)
    return { code, out: out.trimEnd(), err: err.trimEnd() }
  }
  const json = async (...args: readonly string[]): Promise<Record<string, unknown>[]> => {
    const { code, out, err } = await run([...args, '--json'])
    if (code !== 0) throw new Error(err)
    return JSON.parse(out) as Record<string, unknown>[]
  }
  return { dataDir, run, json, printed }
}

/** Every file of a folder with these bytes in it, as they are or as people hide them. */
function filesWith(folder: string, secret: string): string[] {
  const forms = [
    secret,
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
    Buffer.from(secret).toString('hex'),
    createHash('sha256').update(secret).digest('hex')
  ]
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile())
    .filter((file) => {
      const bytes = readFileSync(file)
      return forms.some((form) => bytes.includes(form))
    })
}

describe.skipIf(missing !== null)('boxyard remote, with a keychain', () => {
  it('adds, shows, tries and removes a registry whose token is in the keychain alone', async () => {
    const { served, token } = await startLab()
    const session = await openSession()
    const { run, json, dataDir, printed } = here(session.env)

    const added = await run(
      ['add', `${served.url}/api/v2/`, '--name', 'Lab', '--token-stdin', '--map', 'lab=acme'],
      `${token}\n`
    )
    expect(added).toMatchObject({ code: 0, err: '' })
    expect(added.out).toContain('Remote Lab is added')
    expect(added.out).toContain('as acme')
    expect(added.out).toContain('Its token is in the keychain.')
    const [account] = session.accounts()
    expect(session.lookUp(account as string)).toBe(token)

    expect(await json('list')).toMatchObject([
      {
        ...{
          name: 'Lab',
          kind: 'http',
          location: served.url,
          api: 'v2',
          account: 'acme',
          organizations: ['acme']
        },
        ...{ organizationMap: { lab: 'acme' }, token: 'keychain', tokenNote: null, health: 'fine' }
      }
    ])
    expect(await run(['test', 'lab'])).toMatchObject({ code: 0, err: '' })
    expect((await run(['list'])).out).toMatch(/^NAME.*\nLab .* acme .* in the keychain .* fine/)

    expect(await run(['remove', 'LAB'])).toMatchObject({ code: 0, out: 'Remote Lab is removed.' })
    expect(session.accounts()).toEqual([])
    expect(await json('list')).toEqual([])
    expect(printed.join('')).not.toContain(token)
    expect(filesWith(dataDir, token)).toEqual([])
  })

  it('puts a new token in the place of the old one, and never a wrong one', async () => {
    const { served, token, dataDir: there } = await startLab()
    const session = await openSession()
    const { run } = here(session.env)
    await run(['add', served.url, '--name', 'Lab', '--token-stdin'], token)
    const first = session.accounts()
    expect(await run(['change', 'Lab', '--token-stdin'], 'boxyard_wrong')).toMatchObject({ code: 1 })
    expect(session.accounts()).toEqual(first)

    const second = await boxyard(['token', 'create', '--data', there])
    const file = join(tempDir(), 'token')
    writeFileSync(file, `${second}\n`)
    expect((await run(['change', 'Lab', '--token-file', file])).code).toBe(0)
    const accounts = session.accounts()
    expect(accounts).toHaveLength(1)
    expect(accounts).not.toEqual(first)
    expect(session.lookUp(accounts[0] as string)).toBe(second)
  })

  it('keeps nothing of a registry that does not take the token', async () => {
    const { served } = await startLab()
    const session = await openSession()
    const { run, json } = here(session.env)
    const { code, err } = await run(['add', served.url, '--token-stdin'], 'boxyard_wrong')
    expect(code).toBe(1)
    expect(err).toContain('does not take the token')
    expect(err).not.toContain('boxyard_wrong')
    expect(session.accounts()).toEqual([])
    expect(await json('list')).toEqual([])
  })

  it('two folders with the same remote have a token each', async () => {
    const { served, token } = await startLab()
    const session = await openSession()
    const [one, two] = [here(session.env), here(session.env)]
    for (const { run } of [one, two]) await run(['add', served.url, '--name', 'Lab', '--token-stdin'], token)
    expect(new Set(session.accounts()).size).toBe(2)
    await one.run(['remove', 'Lab'])
    expect((await two.run(['test', 'Lab'])).code).toBe(0)
  })

  it('says that the keychain is locked, and goes on once it is not', async () => {
    const { served, token } = await startLab()
    const session = await openSession()
    const { run } = here(session.env)
    await run(['add', served.url, '--name', 'Lab', '--token-stdin'], token)
    session.lock()
    const refused = await run(['test', 'Lab'])
    expect(refused.code).toBe(1)
    expect(refused.err).toContain('The keychain is locked')
    expect((await run(['test', 'Lab'], '', { BOXYARD_TOKEN_LAB: token })).code).toBe(0)
    const removed = await run(['remove', 'Lab'])
    expect(removed.out).toContain('could not be taken out of the keychain')
  })
})

describe('boxyard remote, without a keychain', () => {
  it('takes a folder as it is called from where the person is', async () => {
    const { run, json } = here()
    const folder = tempDir()
    expect((await run(['add', relative(process.cwd(), folder), '--name', 'Stick'])).code).toBe(0)
    expect(await json('list')).toMatchObject([{ kind: 'folder', location: folder }])
    expect(await run(['add', 'no-such-folder'])).toMatchObject({ code: 1 })
  })

  it('says so, and reads the token from the environment', async () => {
    const { served, token } = await startLab()
    const { run, json, dataDir, printed } = here()
    const added = await run(['add', served.url, '--name', 'My lab', '--token-stdin'], token)
    expect(added.code).toBe(0)
    expect(added.out).toContain('There is no keychain in this session')
    expect(added.out).toContain('BOXYARD_TOKEN_MY_LAB')
    expect(await json('list')).toMatchObject([{ token: 'lost' }])
    expect(await run(['test', 'My lab'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('one run alone') as string
    })
    const listed = (await run(['list'])).out
    expect(listed.split('one run alone')).toHaveLength(2)
    const withToken = { BOXYARD_TOKEN_MY_LAB: token }
    expect((await run(['test', 'My lab'], '', withToken)).code).toBe(0)
    expect((await run(['list'], '', withToken)).out).not.toContain('one run alone')
    expect((await run(['remove', 'My lab'])).out).toBe('Remote My lab is removed.')
    expect(printed.join('')).not.toContain(token)
    expect(filesWith(dataDir, token)).toEqual([])
  })

  it('ends in time when the keychain never answers', async () => {
    const { served, token } = await startLab()
    const silent = await startSilentBus()
    onTestFinished(() => silent.end())
    const { run } = here({ ...silent.env, BOXYARD_KEYCHAIN_WAIT: '0.5' })
    const { code, out } = await run(['add', served.url, '--token-stdin'], token)
    expect(code).toBe(0)
    expect(out).toContain('The keychain did not answer in time')
  })

  it.each([
    [['add', 'ftp://x'], /cannot be reached by "ftp"/],
    [['add', 'http://192.0.2.1'], /plain http/],
    [['add', 'https://user:hunter2@lab.example'], /name or a password/],
    [['add', 'http://127.0.0.1:9'], /Nothing answers/],
    [['add', 'https://lab.example', '--ca', '/nowhere.pem'], /could not be read from \/nowhere\.pem/],
    [['add', 'https://lab.example', '--token-file', '/nowhere'], /could not be read from \/nowhere/],
    [['add', '/nowhere/at/all', '--token-stdin'], /token is empty/],
    [['test', 'none'], /There is no remote "none"/],
    [['remove', 'none'], /There is no remote "none"/]
  ])('refuses %j with a sentence', async (args, why) => {
    const { run } = here()
    const { code, out, err } = await run(args)
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(why)
    expect(err).not.toContain('hunter2')
  })
})

it('a server ends though its keychain never answers', async () => {
  const lab = await startLab()
  const silent = await startSilentBus()
  onTestFinished(() => silent.end())
  const dataDir = tempDir()
  // Noted as one that is in a keychain: by a run in which there was one.
  await boxyard(['remote', 'add', lab.served.url, '--name', 'Lab', '--data', dataDir])
  const { default: Database } = await import('better-sqlite3')
  const db = new Database(join(dataDir, 'catalogue.sqlite'))
  db.exec("UPDATE remotes SET token_name = 'in-some-keychain', check_minutes = 1, checked_at = NULL")
  db.close()
  const served = await serve(dataDir, ['--ui'], { ...silent.env, BOXYARD_KEYCHAIN_WAIT: '600' }, () => {})
  onTestFinished(() => void served.process.kill('SIGKILL'))
  void httpTransport(browserAt(served.ui as string)).invoke('remotes', {})
  await silent.asked
  expect([await served.stop(), served.process.signalCode]).toEqual([0, null])
}, 60_000)
