import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Arrival } from '../../src-main/contract/arrivals.ts'
import { tar } from '../support/archives.ts'
import { tempDir } from '../support/temp.ts'
import type { Deeds } from './arrivals-process.ts'
import { startForked, Unheard } from './forked.ts'
import { Random } from './random.ts'
import { run } from './server.ts'
import { sha256 } from '../support/sha256.ts'

const rounds = 20

const startPerson = (dataDir: string) => startForked<Deeds>('arrivals-process.ts', [dataDir])

type Person = Awaited<ReturnType<typeof startPerson>>

/** A person who drops files, sends others, and publishes what is there, until the program is gone. */
class Dropper {
  /** By id: whether the person was told that it will be published. */
  readonly acknowledged = new Map<string, { sha256: string; confirmed: boolean }>()
  readonly #random: Random
  readonly #files: string
  #count = 0

  constructor(random: Random, files: string) {
    this.#random = random
    this.#files = files
  }

  async work(person: Person): Promise<void> {
    try {
      for (;;) await this.#step(person)
    } catch (error) {
      if (!(error instanceof Unheard)) throw error
    }
  }

  async #step(person: Person): Promise<void> {
    const waiting = [...this.acknowledged].filter(([, { confirmed }]) => !confirmed)
    if (waiting.length > 0 && this.#random.next() < 0.5) {
      const [id, known] = this.#random.oneOf(waiting)
      const { state, confirmed } = (await person.do('publish', { id })) as Arrival
      known.confirmed = confirmed || state === 'published'
      return
    }
    this.#count += 1
    const name = `box-${this.#count}-1.0.0.box`
    const padding = this.#random.bytes(
      this.#random.next() < 0.3 ? 3_000_000 : this.#random.between(1, 50_000)
    )
    const metadata = JSON.stringify({ provider: 'virtualbox', architecture: 'amd64' })
    const bytes = tar({ name: 'metadata.json', content: metadata }, { name: 'disk', content: padding })
    const known = { sha256: sha256(bytes), confirmed: false }
    if (this.#random.next() < 0.3) {
      const id = `00000000-0000-4000-8000-${String(this.#count).padStart(12, '0')}`
      await person.do('send', { id, name, bytes: bytes.toString('base64') })
      this.acknowledged.set(id, known)
    } else {
      const path = join(this.#files, name)
      writeFileSync(path, bytes)
      const { id } = (await person.do('addPath', { path, release: true })) as Arrival
      this.acknowledged.set(id, known)
    }
  }
}

it(`loses no acknowledged file and publishes none twice, through ${rounds} kills`, async () => {
  const dataDir = tempDir()
  const files = join(tempDir(), 'files')
  mkdirSync(files)
  const random = new Random(20261121)
  const dropper = new Dropper(new Random(1), files)
  const { acknowledged } = dropper
  for (let round = 0; round < rounds; round++) {
    const person = await startPerson(dataDir)
    const listed = new Map(
      ((await person.do('list', {})) as Arrival[]).map((arrival) => [arrival.id, arrival])
    )
    // Those that have ended are remembered for a time only; what they were published as is looked at below.
    for (const [id, { confirmed }] of acknowledged) {
      const arrival = listed.get(id)
      if (!confirmed || arrival) expect(arrival, id).toBeDefined()
      if (!arrival) continue
      expect(arrival.problem, `${id} is ${arrival.state}`).toBeNull()
      if (confirmed && arrival.state !== 'published') expect(arrival.confirmed).toBe(true)
    }
    const work = Promise.all([dropper.work(person), dropper.work(person)])
    await setTimeout(random.between(20, 400))
    await person.kill()
    await work
  }
  console.log(`${rounds} kills, ${acknowledged.size} acknowledged files`)
  expect(acknowledged.size).toBeGreaterThan(rounds)

  const person = await startPerson(dataDir)
  for (const arrival of (await person.do('list', {})) as Arrival[])
    if (!['published', 'failed', 'cancelled'].includes(arrival.state))
      await person.do('publish', { id: arrival.id })
  const underWay = async (): Promise<Arrival[]> =>
    ((await person.do('list', {})) as Arrival[]).filter(
      ({ state }) => !['published', 'failed', 'cancelled'].includes(state)
    )
  while ((await underWay()).length > 0) await setTimeout(50)
  const images = (await person.do('images', {})) as Record<string, unknown>[]
  await person.do('stop', {})
  const published = new Set(images.map(({ blob }) => blob))
  expect(images.filter(({ createdAt, updatedAt }) => createdAt !== updatedAt)).toEqual([])
  expect([...acknowledged.values()].filter((one) => !published.has(one.sha256))).toEqual([])
  expect(published.size).toBe(images.length)
  // A kill may leave a sidecar half written, as JSON, but no bytes of a file that nobody will ask for again.
  const left = readdirSync(join(dataDir, 'uploads')).map((name) =>
    readFileSync(join(dataDir, 'uploads', name), 'utf8')
  )
  expect(left.filter((text) => !/^({|$)/.test(text))).toEqual([])
  expect(await run(dataDir, 'gc', '--grace', '0')).toMatchObject({ code: 0 })
  expect(readdirSync(join(dataDir, 'uploads'))).toEqual([])
  expect(await run(dataDir, 'verify')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/, 0 problems\.$/)
  })
})
