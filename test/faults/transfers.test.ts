import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import type { Remote } from '../../src-main/contract/remotes.ts'
import type { SyncRequest } from '../../src-main/contract/sync.ts'
import type { RemoteTransfer } from '../../src-main/contract/transfers.ts'
import { tar } from '../support/archives.ts'
import { hostileRemote } from '../support/hostile-remote.ts'
import { tempDir } from '../support/temp.ts'
import { startForked, Unheard } from './forked.ts'
import { Random } from './random.ts'
import { newToken, run, startServer } from './server.ts'
import type { Deeds } from './transfers-process.ts'

// Each starts the program dozens of times, which takes as long as the machine makes it take.
vi.setConfig({ testTimeout: 600_000 })

const box = { organization: 'acme', box: 'base' }
/** A kill takes along what was on its way to the disk, some three megabytes; there has to be more than that. */
const fileSize = 12_000_000
const bytesPerSecond = 6_000_000
/** How often a program is killed that goes on where it was. */
const kills = 6

/** What the box consists of. */
const files = [
  { version: '1.0.0', provider: 'virtualbox', architecture: 'amd64' },
  { version: '1.0.0', provider: 'libvirt', architecture: 'amd64' },
  { version: '1.1.0', provider: 'virtualbox', architecture: 'arm64' }
]

/** Puts the box into the catalogue of a folder, the same one each time. */
async function fill(dataDir: string): Promise<void> {
  const random = new Random(7)
  for (const { version, provider, architecture } of files) {
    const metadata = JSON.stringify({ provider, architecture })
    const path = join(tempDir(), `base-${version}.box`)
    const disk = random.bytes(fileSize)
    writeFileSync(path, tar({ name: 'metadata.json', content: metadata }, { name: 'disk', content: disk }))
    const done = await run(dataDir, 'import', path, '--org', 'acme', '--release')
    expect(done).toMatchObject({ code: 0 })
  }
}

/** A folder of which `acme` is the owner. */
async function folderOf(): Promise<string> {
  const dataDir = tempDir()
  const server = await startServer(dataDir)
  await server.stop()
  return dataDir
}

interface How {
  /** The process ends itself when so many steps have been done. */
  readonly killAfter?: number
  readonly bytesPerSecond?: number
}

/** Here and a second Boxyard, whose traffic is counted, or a folder. */
async function twoPlaces(kind: 'registry' | 'folder') {
  const here = await folderOf()
  const there = kind === 'registry' ? await folderOf() : tempDir()
  const server = kind === 'registry' ? await startServer(there) : null
  const remote = server ? await hostileRemote(server.url) : null
  const env = { ...process.env, ...(server && { BOXYARD_TOKEN_THERE: await newToken(there) }) }
  const person = ({ killAfter, bytesPerSecond }: How = {}) =>
    startForked<Deeds>(
      'transfers-process.ts',
      [here, String(killAfter ?? ''), String(bytesPerSecond ?? '')],
      env
    )
  const first = await person()
  const location = remote?.url ?? there
  const { id } = (await first.do('addRemote', { name: 'There', location, token: null })) as Remote
  await first.do('stop', {})
  await first.ended

  /** Another Boxyard that has the folder as its remote. */
  async function besideFolder(...command: readonly string[]): Promise<string> {
    const dataDir = await folderOf()
    if (command[0] === 'publish') await fill(dataDir)
    expect(await run(dataDir, 'remote', 'add', there, '--name', 'There')).toMatchObject({ code: 0 })
    expect(await run(dataDir, ...command)).toMatchObject({ code: 0 })
    return dataDir
  }
  return {
    ...{ here, remote, person, remoteId: id },
    /** Puts the box there. */
    fillThere: async (): Promise<unknown> =>
      server ? fill(there) : besideFolder('publish', 'acme/base', '--to', 'There'),
    /** What is there now; ends it. */
    async boxThere(): Promise<unknown> {
      await server?.stop()
      return snapshotOf(server ? there : await besideFolder('pull', 'acme/base', '--from', 'There'))
    }
  }
}

type Places = Awaited<ReturnType<typeof twoPlaces>>
type Person = Awaited<ReturnType<Places['person']>>

const ended = ({ state }: RemoteTransfer): boolean => ['done', 'failed', 'cancelled'].includes(state)

/** Resolves with the transfers once all have ended, or with null when the process ended first. */
async function untilEnded(person: Person): Promise<RemoteTransfer[] | null> {
  try {
    for (;;) {
      const transfers = (await person.do('list', {})) as RemoteTransfer[]
      if (transfers.every(ended)) return transfers
      await setTimeout(20)
    }
  } catch (error) {
    if (error instanceof Unheard) return null
    throw error
  }
}

const snapshotOf = async (dataDir: string): Promise<unknown> => {
  const person = await startForked<Deeds>('transfers-process.ts', [dataDir])
  const seen = await person.do('snapshot', box)
  await person.do('stop', {})
  await person.ended
  return seen
}

/** Starts it, and lets it be cut off again and again, until nothing is left to do. */
async function carryThrough(
  { person, remoteId }: Places,
  direction: SyncRequest['direction'],
  cutOff: (person: Person, round: number) => Promise<void>,
  how: (round: number) => How
): Promise<{ rounds: number; transfers: RemoteTransfer[] }> {
  const starting = await person()
  await starting.do('start', { request: { direction, remoteId, ...box } }).catch(() => {})
  await starting.kill()
  for (let round = 0; round < 60; round++) {
    const one = await person(how(round))
    const cut = cutOff(one, round)
    const transfers = await untilEnded(one)
    await cut
    if (!transfers) continue
    await one.do('stop', {}).catch(() => {})
    await one.ended
    return { rounds: round, transfers }
  }
  throw new Error('it does not come to an end')
}

/** Files of boxes that nobody will ask for. A kill may leave a sidecar half written, as JSON. */
const bytesLeft = (dataDir: string): string[] =>
  readdirSync(join(dataDir, 'uploads')).filter(
    (name) => !/^({|$)/.test(readFileSync(join(dataDir, 'uploads', name), 'latin1'))
  )

/** Kills programs in the middle of files, each one when more of a file is over than the one before had brought. */
function killerInTheMiddle(random: Random): (person: Person) => Promise<void> {
  const reached = new Map<string, number>()
  return async (person) => {
    const further = random.between(3_500_000, 4_500_000)
    try {
      for (;;) {
        const transfers = (await person.do('list', {})) as RemoteTransfer[]
        const moving = transfers.flatMap(({ step }) => step ?? []).find(({ state }) => state === 'running')
        if (moving && moving.bytesDone >= (reached.get(moving.key) ?? 0) + further) {
          reached.set(moving.key, moving.bytesDone)
          break
        }
        if (transfers.every(ended)) break
        await setTimeout(10)
      }
    } catch (error) {
      if (!(error instanceof Unheard)) throw error
    }
    await person.kill()
  }
}

const never = (): Promise<void> => Promise.resolve()

describe.each(['registry', 'folder'] as const)('a box that goes to a %s', (kind) => {
  it('is there as if nothing had happened, though the program was killed after each step', async () => {
    const places = await twoPlaces(kind)
    await fill(places.here)
    places.remote?.forget()
    const { rounds, transfers } = await carryThrough(places, 'publish', never, () => ({ killAfter: 1 }))
    console.log(`publish to a ${kind}: killed ${rounds} times`)
    expect(transfers).toMatchObject([{ state: 'done', problem: null, bytesDone: transfers[0]?.bytesTotal }])
    expect(rounds).toBeGreaterThan(8)
    if (places.remote) {
      const sent = places.remote.noted.filter(({ bytes }) => bytes >= fileSize)
      expect(sent).toHaveLength(files.length)
      const sum = places.remote.noted.reduce((all, { bytes }) => all + bytes, 0)
      expect(sum).toBeLessThan(files.length * fileSize * 1.01 + 100_000)
    }
    expect(await places.boxThere()).toEqual(await snapshotOf(places.here))
  })

  it('is there as if nothing had happened, though the program was killed at any moment', async () => {
    const places = await twoPlaces(kind)
    await fill(places.here)
    places.remote?.forget()
    const random = new Random(42)
    const killInTheMiddle = killerInTheMiddle(random)
    const { rounds, transfers } = await carryThrough(
      places,
      'publish',
      async (person, round) => {
        if (round >= kills) return
        if (round % 2 === 0) return killInTheMiddle(person)
        await setTimeout(random.between(20, 900))
        await person.kill()
      },
      (round) => (round < kills ? { bytesPerSecond } : {})
    )
    console.log(`publish to a ${kind}: killed ${rounds} times at random`)
    expect(transfers).toMatchObject([{ state: 'done', problem: null }])
    if (places.remote) {
      const whole = places.remote.noted.filter(({ bytes }) => bytes >= fileSize)
      expect(whole.length).toBe(files.length)
    }
    expect(await places.boxThere()).toEqual(await snapshotOf(places.here))
  })
})

describe.each(['registry', 'folder'] as const)('a box that comes from a %s', (kind) => {
  it('is here as if nothing had happened, though the program was killed after each step', async () => {
    const places = await twoPlaces(kind)
    await places.fillThere()
    const downloads: (string | undefined)[] = []
    places.remote?.when(
      { path: /\.box$/ },
      (victim) => {
        if (victim.request.method === 'GET') downloads.push(victim.request.headers.range)
        return victim.pass()
      },
      { times: Infinity }
    )
    const { rounds, transfers } = await carryThrough(places, 'pull', never, () => ({ killAfter: 1 }))
    console.log(`pull from a ${kind}: killed ${rounds} times, ${downloads.length} downloads`)
    expect(transfers).toMatchObject([{ state: 'done', problem: null }])
    expect(rounds).toBeGreaterThan(8)
    if (places.remote) expect(downloads).toHaveLength(files.length)
    expect(await snapshotOf(places.here)).toEqual(await places.boxThere())
    expect(bytesLeft(places.here)).toEqual([])
  })

  it('goes on in the middle of a file, though the program was killed at any moment', async () => {
    const places = await twoPlaces(kind)
    await places.fillThere()
    const starts: number[] = []
    places.remote?.when(
      { path: /\.box$/, method: 'GET' },
      (victim) => {
        const { range } = victim.request.headers
        starts.push(Number(/bytes=(\d+)-/.exec(range ?? 'bytes=0-')?.[1]))
        return victim.pass()
      },
      { times: Infinity }
    )
    const killInTheMiddle = killerInTheMiddle(new Random(43))
    const { rounds, transfers } = await carryThrough(
      places,
      'pull',
      async (person, round) => {
        if (round < kills) await killInTheMiddle(person)
      },
      (round) => (round < kills ? { bytesPerSecond } : {})
    )
    console.log(`pull from a ${kind}: killed ${rounds} times at random; downloads from ${starts.join(', ')}`)
    expect(transfers).toMatchObject([{ state: 'done', problem: null }])
    if (places.remote) {
      expect(starts.filter((from) => from === 0)).toHaveLength(files.length)
      // One of which all was on its way is whole by now, and not asked for again.
      expect(starts.length).toBeGreaterThan(files.length + kills / 2)
    }
    expect(await snapshotOf(places.here)).toEqual(await places.boxThere())
    expect(bytesLeft(places.here)).toEqual([])
    expect(await run(places.here, 'verify')).toMatchObject({ code: 0 })
  })
})
