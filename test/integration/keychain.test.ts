import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { Keychain } from '../../src-main/vault/keychain.ts'
import {
  keyringMissing,
  startSession,
  startSilentBus,
  withoutSession,
  type Session
} from '../support/keyring.ts'
import { rememberingLog } from '../support/registry.ts'

const missing = keyringMissing()
if (missing !== null) console.log(`SKIPPED tests of the keychain: ${missing}`)

function keychainIn(env: NodeJS.ProcessEnv, waitMs = 10_000) {
  const log = rememberingLog()
  const keychain = new Keychain({ log, environment: env, waitMs })
  onTestFinished(() => keychain.close())
  return { keychain, log }
}

async function session(options?: Parameters<typeof startSession>[0]): Promise<Session> {
  const started = await startSession(options)
  onTestFinished(() => started.end())
  return started
}

describe.skipIf(missing !== null)('a keychain that is open', () => {
  let shared: Session
  beforeAll(async () => {
    shared = await startSession()
  })
  afterAll(() => shared.end())

  it('keeps a secret where other programs of the session find it', async () => {
    const { keychain } = keychainIn(shared.env)
    expect(await keychain.keep('one', 'sécret; with all\'s "odd" ¶')).toEqual({
      place: 'keychain',
      note: null
    })
    expect(shared.lookUp('one')).toBe('sécret; with all\'s "odd" ¶')
  })

  it('gives it to a later run', async () => {
    await keychainIn(shared.env).keychain.keep('two', 'the second')
    const { keychain } = keychainIn(shared.env)
    expect(await keychain.find('two')).toEqual({ secret: 'the second', place: 'keychain', note: null })
  })

  it('takes it out again', async () => {
    const { keychain } = keychainIn(shared.env)
    await keychain.keep('three', 'the third')
    expect(await keychain.forget('three')).toBeNull()
    expect(shared.lookUp('three')).toBeNull()
    expect(await keychain.find('three')).toMatchObject({ secret: null, place: 'lost' })
  })

  it('says of one it does not have that it is lost, and leaves nothing behind by looking', async () => {
    const { keychain, log } = keychainIn(shared.env)
    const before = shared.accounts()
    const found = await keychain.find('never there')
    expect(found).toMatchObject({ secret: null, place: 'lost' })
    expect(found.note).toContain('does not have it')
    expect(log.lines).toEqual([])
    expect(shared.accounts()).toEqual(before)
  })

  it('can forget what is not there', async () => {
    expect(await keychainIn(shared.env).keychain.forget('never there')).toBeNull()
  })

  it('answers several at once', async () => {
    const { keychain } = keychainIn(shared.env)
    const names = ['a', 'b', 'c', 'd']
    await Promise.all(names.map((name) => keychain.keep(name, `secret of ${name}`)))
    expect(names.map((name) => shared.lookUp(name))).toEqual(names.map((name) => `secret of ${name}`))
  })
})

describe.skipIf(missing !== null)('a keychain that cannot be used', () => {
  /** What is in the way, how it is brought about, and what is said of it. */
  const cases: readonly (readonly [string, () => Promise<NodeJS.ProcessEnv>, RegExp])[] = [
    [
      'is locked',
      async () => {
        const started = await session()
        started.lock()
        return started.env
      },
      /locked/
    ],
    ['is kept by no program', async () => (await session({ keyring: false })).env, /no program keeps one/],
    ['may not be talked to', async () => (await session({ refusing: true })).env, /did not let Boxyard in/],
    ['has no bus', async () => withoutSession(), /no message bus/],
    [
      'has a bus that is gone',
      async () => {
        const started = await startSession({ keyring: false })
        await started.end()
        return started.env
      },
      /no message bus/
    ],
    [
      'has no library',
      async () => {
        const folder = mkdtempSync(join(tmpdir(), 'boxyard-library-'))
        onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
        writeFileSync(join(folder, 'libsecret-1.so.0'), 'no library')
        return { ...(await session()).env, LD_LIBRARY_PATH: folder }
      },
      /library is missing/
    ],
    [
      'is not wanted',
      async () => ({ ...(await session()).env, BOXYARD_KEYCHAIN_WAIT: '0' }),
      /BOXYARD_KEYCHAIN_WAIT/
    ]
  ]

  it.each(cases)('because it %s keeps the secret for this run and says why', async (_, environment, why) => {
    const env = await environment()
    const keychain = new Keychain({ log: rememberingLog(), environment: env })
    onTestFinished(() => keychain.close())
    const kept = await keychain.keep('one', 'the secret')
    expect(kept.place).toBe('this-run')
    expect(kept.note).toMatch(why)
    expect(await keychain.find('one')).toMatchObject({ secret: 'the secret', place: 'this-run' })
  })

  it.each(cases)(
    'because it %s is no place where a secret is merely missing',
    async (_, environment, why) => {
      const keychain = new Keychain({ log: rememberingLog(), environment: await environment() })
      onTestFinished(() => keychain.close())
      const found = await keychain.find('one')
      expect(found).toMatchObject({ secret: null, place: 'lost' })
      expect(found.note).toMatch(why)
    }
  )

  it('that never answers is left alone after a while, and ends with its process', async () => {
    const silent = await startSilentBus()
    onTestFinished(() => silent.end())
    const { keychain, log } = keychainIn(silent.env, 300)
    const kept = await keychain.keep('one', 'the secret')
    expect(kept).toMatchObject({ place: 'this-run', note: expect.stringContaining('did not answer in time') })
    expect(await keychain.find('another')).toMatchObject({ place: 'lost', note: kept.note })
    expect(log.lines).toHaveLength(1)
  })

  it('is asked no longer once the program ends', async () => {
    const silent = await startSilentBus()
    onTestFinished(() => silent.end())
    const { keychain } = keychainIn(silent.env, 60_000)
    const finding = keychain.find('one')
    keychain.close()
    expect(await finding).toMatchObject({ place: 'lost' })
  })

  it('keeps what was kept before, once it is unlocked in another way', async () => {
    const started = await session()
    const first = keychainIn(started.env).keychain
    await first.keep('one', 'the secret')
    started.lock()
    expect(await keychainIn(started.env).keychain.find('one')).toMatchObject({
      secret: null,
      place: 'lost',
      note: expect.stringContaining('locked')
    })
    // Known in the run that had it.
    expect(await first.find('one')).toMatchObject({ secret: 'the secret', place: 'keychain' })
  })
})

it('a session whose bus is in its runtime folder has one', async () => {
  const run = mkdtempSync(join(tmpdir(), 'boxyard-run-'))
  onTestFinished(() => rmSync(run, { recursive: true, force: true }))
  mkdirSync(join(run, 'bus'))
  const { keychain } = keychainIn({
    ...process.env,
    DBUS_SESSION_BUS_ADDRESS: undefined,
    XDG_RUNTIME_DIR: run
  })
  // It is none that answers, but it was tried.
  expect((await keychain.keep('one', 'x')).place).toBe('this-run')
})
