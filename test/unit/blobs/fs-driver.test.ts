import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { BlobDriver, ReceiveOptions, Staged } from '../../../src-main/blobs/driver.ts'
import { fsDriver } from '../../../src-main/blobs/fs-driver.ts'
import { Problem } from '../../../src-main/domain/problem.ts'
import { box } from '../../support/archives.ts'
import { tempDir } from '../../support/temp.ts'
import { sha256 } from '../../support/sha256.ts'

const big = randomBytes(5_000_001)

function open(): { dir: string; driver: BlobDriver } {
  const dir = tempDir()
  const driver = fsDriver(dir)
  onTestFinished(() => driver.close())
  return { dir, driver }
}

async function keep(driver: BlobDriver, bytes: Buffer | string): Promise<string> {
  const staged = await driver.receive(Readable.from([bytes]))
  await driver.commit(staged)
  return staged.sha256
}

async function serve(
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>
): Promise<number> {
  const server = createServer((request, response) => void handle(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** An upload, and when its first bytes have arrived. */
function started(
  driver: BlobDriver,
  body: Readable,
  options: ReceiveOptions = {}
): { begun: Promise<void>; staged: Promise<Staged> } {
  let begin = (): void => {}
  const begun = new Promise<void>((resolve) => (begin = resolve))
  return { begun, staged: driver.receive(body, { ...options, onProgress: begin }) }
}

describe('a store in files', () => {
  it('lies on the disk as its drawing says', async () => {
    const { dir, driver } = open()
    const name = await keep(driver, 'x')
    await driver.writeSidecar(name, { a: 1 })
    const folder = join(dir, 'blobs', 'sha256', name.slice(0, 2))
    expect(readdirSync(folder).sort()).toEqual([name, `${name}.json`])
    expect(readFileSync(join(folder, `${name}.json`), 'utf8')).toBe('{"a":1}')
    const staged = await driver.receive(Readable.from(['y']))
    expect(readdirSync(join(dir, 'uploads'))).toEqual([staged.id])
    await driver.quarantine(name)
    expect(readdirSync(folder)).toEqual([])
    expect(readdirSync(join(dir, 'quarantine')).map((file) => file.replace(/\.\d+/, '.<ms>'))).toEqual([
      `${name}.<ms>`,
      `${name}.<ms>.json`
    ])
    expect(readdirSync(dir).sort()).toEqual(['blobs', 'quarantine', 'uploads'])
  })

  it('is the same for whoever opens it next', async () => {
    const { dir, driver } = open()
    const name = await keep(driver, big)
    await driver.close()
    const next = fsDriver(dir)
    onTestFinished(() => next.close())
    expect(await next.size(name)).toBe(big.length)
  })

  it('never makes a path of what is no name', async () => {
    const { driver } = open()
    for (const name of ['', '../../etc/passwd', 'A'.repeat(64), `${'a'.repeat(64)}/..`, 'a'.repeat(63)]) {
      await expect(driver.size(name)).rejects.toThrowError(TypeError)
      await expect(driver.remove(name)).rejects.toThrowError(TypeError)
      await expect(driver.dropStaged(name)).rejects.toThrowError(TypeError)
    }
  })

  it('lists nothing that others put between its files', async () => {
    const { dir, driver } = open()
    const name = await keep(driver, 'x')
    writeFileSync(join(dir, 'blobs', 'sha256', 'README'), '')
    mkdirSync(join(dir, 'blobs', 'sha256', 'zz'))
    writeFileSync(join(dir, 'blobs', 'sha256', 'zz', 'a'.repeat(64)), '')
    writeFileSync(join(dir, 'blobs', 'sha256', name.slice(0, 2), '.swp'), '')
    writeFileSync(join(dir, 'uploads', 'note.txt'), '')
    const found = []
    for await (const item of driver.list()) found.push(item.sha256)
    for await (const item of driver.staging()) found.push(item.id)
    expect(found).toEqual([name])
  })

  it('replaces a blob that was cut short by the same bytes whole', async () => {
    const { dir, driver } = open()
    const name = await keep(driver, big)
    truncateSync(join(dir, 'blobs', 'sha256', name.slice(0, 2), name), 1000)
    await keep(driver, big)
    expect(await driver.size(name)).toBe(big.length)
    expect((await driver.digest(name, []))?.checksums.sha256).toBe(name)
  })

  it('tells by its digest that a blob has rotted', async () => {
    const { dir, driver } = open()
    const name = await keep(driver, 'sound')
    writeFileSync(join(dir, 'blobs', 'sha256', name.slice(0, 2), name), 'rotten')
    expect((await driver.digest(name, []))?.checksums.sha256).toBe(sha256('rotten'))
  })

  it('takes an unreadable sidecar for none', async () => {
    const { dir, driver } = open()
    const name = await keep(driver, 'x')
    writeFileSync(join(dir, 'blobs', 'sha256', name.slice(0, 2), `${name}.json`), '{"half')
    expect(await driver.readSidecar(name)).toBeNull()
  })

  it('counts the age of a taken file from when it was taken', async () => {
    const { driver } = open()
    const path = join(tempDir(), 'old.box')
    writeFileSync(path, box())
    utimesSync(path, 1, 1)
    await driver.commit(await driver.takeFile(path))
    for await (const { modifiedAt } of driver.list()) expect(modifiedAt).toBeGreaterThan(Date.now() - 60_000)
    expect(statSync(path).mtimeMs).toBe(1000)
  })

  it('makes no second copy of a file that was given away, unless the path only points to it', async () => {
    const { dir, driver } = open()
    const path = join(tempDir(), 'given.box')
    writeFileSync(path, box())
    const given = await driver.takeFile(path, { givenAway: true })
    expect(statSync(join(dir, 'uploads', given.id)).ino).toBe(statSync(path).ino)
    const pointer = join(dir, 'pointer.box')
    symlinkSync(path, pointer)
    const copied = await driver.takeFile(pointer, { givenAway: true })
    expect(statSync(join(dir, 'uploads', copied.id)).ino).not.toBe(statSync(path).ino)
    await driver.commit(given)
    await driver.commit(copied)
    expect(statSync(path).size).toBe(given.size)
  })

  it('refuses a file that is written to while it is read', async () => {
    const { driver } = open()
    const path = join(tempDir(), 'growing.box')
    writeFileSync(path, randomBytes(20_000_000))
    let changed = false
    const onProgress = (): void => {
      if (!changed) writeFileSync(path, 'x', { flag: 'a' })
      changed = true
    }
    const taken = driver.takeFile(path, { onProgress })
    await expect(taken).rejects.toThrowError('changed while it was read')
    for await (const { id } of driver.staging()) expect.fail(`left behind: ${id}`)
  })
})

describe('room', () => {
  it('is asked for before the first byte', async () => {
    const { dir, driver } = open()
    const body = Readable.from(['x'])
    const free = await driver.freeBytes()
    const received = driver.receive(body, { length: free })
    await expect(received).rejects.toMatchObject({ name: 'Problem', kind: 'no-room' })
    await expect(received).rejects.toThrowError(
      /The file of [\d.]+ [GT]B does not fit: [\d.]+ [GT]B are free/
    )
    expect(readdirSync(dir), 'nothing is made for it').toEqual([])
    expect(body.readableDidRead).toBe(false)
  })

  it('is not promised twice', async () => {
    const { driver } = open()
    const half = Math.floor((await driver.freeBytes()) * 0.6)
    const first = new Readable({ read() {} })
    first.push('x')
    const { begun, staged } = started(driver, first, { length: half })
    await begun
    await expect(driver.receive(Readable.from(['x']), { length: half })).rejects.toMatchObject({
      kind: 'no-room'
    })
    first.destroy()
    await expect(staged).rejects.toThrowError('broke off')
    const third = driver.receive(Readable.from(['x']), { length: half })
    await expect(third, 'what was promised is free again').rejects.toThrowError('Only 1 of')
  })
})

describe('an upload over HTTP', () => {
  it('arrives, also while others do', async () => {
    const { driver } = open()
    const port = await serve(async (req, res) => {
      const staged = await driver.receive(req, { length: Number(req.headers['content-length']) })
      await driver.commit(staged)
      res.end(staged.sha256)
    })
    const bodies = Array.from({ length: 4 }, () => randomBytes(3_000_000))
    const put = async (body: Buffer): Promise<string> =>
      (await fetch(`http://127.0.0.1:${port}`, { method: 'PUT', body: new Uint8Array(body) })).text()
    expect(await Promise.all(bodies.map(put))).toEqual(bodies.map(sha256))
  })

  it('that is refused in the middle can still be answered', async () => {
    const { driver } = open()
    const port = await serve(async (req, res) => {
      const onProgress = (bytes: number): void => {
        if (bytes > 1_000_000) throw new Problem('no-room', 'Full.')
      }
      const answer = await driver.receive(req, { onProgress }).catch((error: Error) => error.message)
      req.resume()
      res.end(answer)
    })
    const response = await fetch(`http://127.0.0.1:${port}`, { method: 'PUT', body: new Uint8Array(big) })
    expect(await response.text()).toBe('Full.')
    for await (const { id } of driver.staging()) expect.fail(`left behind: ${id}`)
  })

  it('that is cut leaves nothing', async () => {
    const { driver } = open()
    let outcome: (error: unknown) => void
    const failed = new Promise((resolve) => (outcome = resolve))
    const port = await serve(
      async (req) => void (await driver.receive(req).catch((error: unknown) => outcome(error)))
    )
    const client = request({
      port,
      host: '127.0.0.1',
      method: 'PUT',
      headers: { 'content-length': big.length }
    })
    client.on('error', () => {})
    client.write(big.subarray(0, 2_000_000), () => client.destroy())
    expect(await failed).toMatchObject({ name: 'Problem', kind: 'invalid' })
    for await (const { id } of driver.staging()) expect.fail(`left behind: ${id}`)
  })
})

describe('closing the store', () => {
  it('ends the uploads under way', async () => {
    const { dir, driver } = open()
    const body = new Readable({ read() {} })
    body.push(big)
    const { begun, staged } = started(driver, body)
    const failed = expect(staged).rejects.toThrowError()
    await begun
    await driver.close()
    body.push(big)
    body.push(null)
    await failed
    expect(readdirSync(join(dir, 'uploads'))).toEqual([])
    await expect(driver.receive(Readable.from(['x']))).rejects.toThrowError('closed')
  })
})
