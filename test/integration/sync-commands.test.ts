import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import type { SyncPlanView } from '../../src-main/contract/sync.ts'
import type { TransferWithSteps } from '../../src-main/contract/transfers.ts'
import { tarGz } from '../support/archives.ts'
import { withoutSession } from '../support/keyring.ts'
import { boxyard, serve, type Served } from '../support/product.ts'
import { v1Only } from '../support/remote-ends.ts'
import { tempDir } from '../support/temp.ts'

const patience = 120_000
const printed: string[] = []
const secrets: string[] = []

// Of whatever a command says, nothing may hold a token.
afterEach(() => {
  const all = printed.splice(0).join('\n')
  for (const secret of secrets.splice(0)) expect(all).not.toContain(secret)
})

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

interface Lab {
  readonly served: Served
  readonly dataDir: string
  readonly token: string
}

/** A second Boxyard with the organization acme, and the token of its owner. */
async function startLab(): Promise<Lab> {
  const dataDir = tempDir()
  const served = await serve(dataDir, ['--owner', 'acme'])
  onTestFinished(async () => void (await served.stop()))
  const token = await boxyard(['token', 'create', '--data', dataDir])
  secrets.push(token)
  return { served, dataDir, token }
}

/** Commands on a folder of their own, which has the organization acme. */
async function here(token = '') {
  const dataDir = tempDir()
  const entry = process.env['BOXYARD_OUT']
    ? resolve(process.env['BOXYARD_OUT'], 'main/cli.js')
    : resolve(import.meta.dirname, '../../src-main/cli.ts')
  const begin = (args: readonly string[]) => {
    const child = spawn(process.execPath, [entry, ...args, '--data', dataDir], {
      env: { ...withoutSession(), BOXYARD_TOKEN_LAB: token, BOXYARD_TOKEN_OLD: token },
      stdio: ['ignore', 'pipe', 'pipe']
    })
    let [out, err] = ['', '']
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString('utf8')))
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString('utf8')))
    const ended = new Promise<Ended>((done) =>
      child.on('close', (code) => {
        printed.push(out, err)
        done({ code, out: out.trimEnd(), err: err.trimEnd() })
      })
    )
    return { child, ended, said: () => err }
  }
  const run = (...args: readonly string[]): Promise<Ended> => begin(args).ended
  /** One that has to go well. */
  const good = async (...args: readonly string[]): Promise<string> => {
    const { code, out, err } = await run(...args)
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${err} ${out}`)
    return out
  }
  await good('user', 'add', 'acme')
  await good('org', 'add', 'acme', '--owner', 'acme')
  return {
    ...{ dataDir, begin, run, good },
    /** A released version with some bytes. */
    async addVersion(version: string, bytes = randomBytes(30_000)): Promise<void> {
      const file = join(dataDir, `base-${version}.box`)
      writeFileSync(
        file,
        tarGz(
          { name: 'metadata.json', content: JSON.stringify({ provider: 'libvirt', architecture: 'amd64' }) },
          { name: 'box.img', content: bytes.toString('hex') }
        )
      )
      await good(
        'import',
        file,
        '--org',
        'acme',
        '--name',
        'base',
        '--box-version',
        version,
        '--release',
        '--public'
      )
    }
  }
}

/** Commands on a folder that has a Boxyard as its remote Lab, and these versions of acme/base. */
async function nearTo(lab: Lab, ...versions: readonly string[]) {
  const near = await here(lab.token)
  await near.good('remote', 'add', lab.served.url, '--name', 'Lab')
  for (const version of versions) await near.addVersion(version)
  return near
}

/** The same with a Boxyard of its own. */
async function withLab(...versions: readonly string[]) {
  const lab = await startLab()
  return { lab, near: await nearTo(lab, ...versions) }
}

/** What a plan says would be done, as a transfer says that it was. */
const doneOf = (transfer: TransferWithSteps): string[] =>
  transfer.steps.filter(({ state }) => state === 'done').map(({ key }) => key)
const parsed = <T>(lines: string): T[] => lines.split('\n').map((line) => JSON.parse(line) as T)

describe('publish and pull', () => {
  it(
    'do exactly what a dry run says, to a registry and a folder at once, and back',
    async () => {
      const { lab, near } = await withLab('1.0.0', '1.1.0')
      const stick = tempDir()
      await near.good('remote', 'add', stick, '--name', 'Stick')

      const to = ['--to', 'lab', '--to', 'Stick']
      const plans = parsed<SyncPlanView & { remote: string }>(
        await near.good('publish', 'acme/base', ...to, '--dry-run', '--json')
      )
      expect(plans.map(({ remote }) => remote)).toEqual(['Lab', 'Stick'])
      const transfers = parsed<TransferWithSteps>(await near.good('publish', 'acme/base', ...to, '--json'))
      expect(transfers.map(doneOf)).toEqual(plans.map(({ steps }) => steps.map(({ key }) => key)))
      expect(await near.good('publish', 'acme/base', ...to)).toMatch(
        /^acme\/base to Lab: there was nothing to do\nacme\/base to Stick: there was nothing to do$/
      )
      expect(await near.good('publish', 'acme/base', ...to, '--dry-run')).toContain('nothing to do')

      // Back to two other machines, from each of them.
      for (const [name, location, token] of [
        ['Lab', lab.served.url, lab.token],
        ['Stick', stick, '']
      ] as const) {
        const far = await here(token)
        await far.good('remote', 'add', location, '--name', name)
        const dry = await far.good('pull', 'acme/base@1.1.0', '--from', name, '--dry-run')
        expect(dry).toMatch(/1\.1\.0/)
        expect(dry).not.toMatch(/1\.0\.0/)
        expect((await far.run('show', 'acme/base')).code).toBe(1)
        expect(await far.good('pull', 'acme/base', '--from', name)).toMatch(/: done, \d+ steps, /)
        const [ours, theirs] = await Promise.all(
          [near, far].map(async ({ good }) => JSON.parse(await good('show', 'acme/base', '--json')) as Shown)
        )
        expect(checksums(theirs!)).toEqual(checksums(ours!))
      }
    },
    patience
  )

  it(
    'speak to a registry that knows only the first version of the API',
    async () => {
      const lab = await startLab()
      const url = await v1Only(lab.served.url)
      const near = await here(lab.token)
      await near.good('remote', 'add', url, '--name', 'Old')
      await near.addVersion('1.0.0')
      expect(await near.good('remote', 'list')).toMatch(/Old .* v1 /)
      expect(await near.good('publish', 'acme/base', '--to', 'old')).toContain('done')
      expect(await near.good('publish', 'acme/base', '--to', 'old')).toContain('nothing to do')
    },
    patience
  )

  it(
    'leave released there what it is told to leave, and say what has to be decided',
    async () => {
      const { lab, near } = await withLab('1.0.0')
      const other = await nearTo(lab, '1.0.0')
      expect(await near.good('publish', 'acme/base', '--to', 'lab', '--no-release', '--dry-run')).not.toMatch(
        /Releases 1\.0\.0/
      )
      await near.good('publish', 'acme/base', '--to', 'lab')
      // The same version with other bytes.
      const dry = await other.run('publish', 'acme/base', '--to', 'lab', '--dry-run')
      expect(dry.code).toBe(1)
      const [, key] = /--choose "(.+)=new-version"/.exec(dry.out) ?? []
      expect(key).toBeDefined()
      const refused = await other.run('publish', 'acme/base', '--to', 'lab')
      expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('--choose') })
      expect(
        await other.good('publish', 'acme/base', '--to', 'lab', '--choose', `${key}=new-version`)
      ).toContain('done')
      await near.good('pull', 'acme/base', '--from', 'lab')
      const shown = JSON.parse(await near.good('show', 'acme/base', '--json')) as Shown
      expect(shown.versions.map(({ number }) => number).sort()).toEqual(['1.0.0', '1.0.1'])
    },
    patience
  )

  it(
    'name what is not there',
    async () => {
      const { near } = await withLab('1.0.0')
      for (const [args, why] of [
        [['publish', 'acme/nothing', '--to', 'lab'], 'There is no box acme/nothing here.'],
        [['publish', 'acme/base@9.9.9', '--to', 'lab'], 'acme/base has no version 9.9.9 here.'],
        [['publish', 'acme', '--to', 'lab'], 'ORGANIZATION/BOX'],
        [['publish', 'acme/base', '--to', 'nowhere'], 'There is no remote "nowhere". There is: Lab.'],
        [['pull', 'acme/nothing', '--from', 'lab'], 'Lab has no acme/nothing'],
        [['transfers', 'pause', 'ffffffff'], 'There is no transfer "ffffffff"'],
        [['mirror', 'run', '7'], 'There is no mirror rule 7.'],
        [['mirror', 'add', 'nonsense', '--from', 'lab'], 'ORGANIZATION/BOX']
      ] as const) {
        const ended = await near.run(...args)
        expect(ended, args.join(' ')).toMatchObject({ code: 1, out: '', err: expect.stringContaining(why) })
      }
      // However it is written, a number is the same one.
      expect(await near.good('publish', 'acme/base@1.0', '--to', 'lab')).toContain('done')
    },
    patience
  )
})

describe('a remote that does not answer', () => {
  it(
    'leaves the transfer queued, with an exit code of its own, and goes on when asked to',
    async () => {
      const { lab, near } = await withLab('1.0.0')
      await lab.served.stop()
      const queued = await near.run('publish', 'acme/base', '--to', 'lab')
      expect(queued).toMatchObject({ code: 3, err: expect.stringContaining('It stays in the list') })
      const [, id] = /transfers resume (\w+) --wait/.exec(queued.err) ?? []
      expect(await near.good('transfers')).toMatch(new RegExp(`${id} .* waiting`))
      expect(await near.good('transfers', 'show', id!)).toMatch(/to Lab +waiting/)
      const again = await serve(lab.dataDir, ['--port', new URL(lab.served.url).port])
      onTestFinished(async () => void (await again.stop()))
      expect(await near.good('transfers', 'resume', id!, '--wait')).toContain('acme/base to Lab: done')
      expect(await near.good('transfers', 'show', id!)).toMatch(
        /STEP .*\n(done .*\n)*done .* Releases 1\.0\.0/
      )
      const { steps, stepsDone } = JSON.parse(
        await near.good('transfers', 'show', id!, '--json')
      ) as TransferWithSteps
      expect(steps).toHaveLength(stepsDone)
      await near.good('transfers', 'dismiss', id!)
      expect(parsed(await near.good('transfers', '--json'))).toEqual([[]])
    },
    patience
  )

  it(
    'is waited for until Ctrl-C parks it',
    async () => {
      const { lab, near } = await withLab('1.0.0')
      await lab.served.stop()
      const waiting = near.begin(['publish', 'acme/base', '--to', 'lab', '--wait'])
      await expect.poll(waiting.said, { timeout: patience }).toContain('acme/base to Lab: ')
      waiting.child.kill('SIGINT')
      expect(await waiting.ended).toMatchObject({
        code: 130,
        err: expect.stringMatching(/goes on while .* --wait/s)
      })
      expect(await near.good('transfers')).toContain('waiting')
    },
    patience
  )
})

describe('mirror', () => {
  it(
    'brings what its rule says, shows it beforehand, and follows what changes',
    async () => {
      const { lab, near } = await withLab('1.0.0', '2.0.0')
      await near.good('publish', 'acme/base', '--to', 'lab')

      const mirror = await nearTo(lab)
      const rule = ['mirror', 'add', 'acme/*', '--from', 'lab', '--newest', '1', '--every', 'never'] as const
      expect(await mirror.good(...rule, '--dry-run')).toMatch(
        /^1 box; 1 file to fetch, .*; 1 file known and not fetched/
      )
      expect(await mirror.good('mirror', 'list')).not.toContain('acme/*')
      expect(await mirror.good(...rule)).toContain(
        'Mirror rule 1: acme/* from Lab, newest 1 version, only by hand'
      )
      const ran = await mirror.good('mirror', 'run', '1')
      expect(ran).toMatch(/1 queued/)
      expect(ran).toMatch(/acme\/base from Lab: done/)
      expect(await mirror.good('mirror', 'run', '--all')).toContain('nothing is to be brought here')

      await near.addVersion('3.0.0')
      await near.good('publish', 'acme/base', '--to', 'lab')
      expect(await mirror.good('mirror', 'run', '1')).toMatch(/acme\/base from Lab: done/)
      const shown = JSON.parse(await mirror.good('show', 'acme/base', '--json')) as Shown
      expect(shown.versions.map(({ number }) => number)).toEqual(['3.0.0', '2.0.0', '1.0.0'])
      expect(await mirror.good('show', 'acme/base')).toMatch(
        /3\.0\.0 .* here\n.*\n1\.0\.0 .* kB .* at the remote$/
      )
      expect(await mirror.good('mirror', 'fork', 'acme/base')).toContain('a box of its own now')
      const again = await mirror.run('mirror', 'fork', 'acme/base')
      expect(again).toMatchObject({ code: 1, err: expect.stringContaining('is no mirror') })
      expect(await mirror.good('mirror', 'remove', '1')).toContain('what it brought here stays')
      expect(JSON.parse(await mirror.good('mirror', 'list', '--json'))).toEqual([])
    },
    patience
  )
})

describe('beside a running server', () => {
  it(
    'the server carries out what the command asks for',
    async () => {
      const { lab, near } = await withLab('1.0.0')
      const server = await serve(near.dataDir, [], { BOXYARD_TOKEN_LAB: lab.token, ...withoutSession() })
      onTestFinished(async () => void (await server.stop()))
      expect(await near.good('publish', 'acme/base', '--to', 'lab')).toContain('acme/base to Lab: done')
      expect(readFileSync(join(near.dataDir, 'serve.lock.json'), 'utf8')).toContain(String(server.pid))
    },
    patience
  )
})

describe('transfers --watch', () => {
  it(
    'goes on showing what changes until it is told to stop',
    async () => {
      const near = await here()
      const stick = tempDir()
      await near.good('remote', 'add', stick, '--name', 'Stick')
      await near.addVersion('1.0.0')
      const { child, ended } = near.begin(['transfers', '--watch', '--json'])
      onTestFinished(() => void child.kill('SIGKILL'))
      const seen = new Promise<void>((done, fail) => {
        let told = ''
        child.stdout.on('data', (chunk: Buffer) => {
          told += chunk.toString('utf8')
          if (told.includes('"state":"done"')) done()
        })
        child.once('exit', (code) => fail(new Error(`It ended by itself, with ${code}.`)))
      })
      await near.good('publish', 'acme/base', '--to', 'Stick')
      await seen
      child.kill('SIGINT')
      expect(await ended).toMatchObject({ code: 0, err: '' })
    },
    patience
  )
})

interface Shown {
  readonly versions: readonly {
    readonly number: string
    readonly images: readonly { readonly sha256: string | null }[]
  }[]
}

const checksums = ({ versions }: Shown) =>
  versions.map(({ number, images }) => [number, images.map(({ sha256 }) => sha256)])
