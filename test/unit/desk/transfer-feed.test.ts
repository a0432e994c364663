import { randomUUID } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Arrivals } from '../../../src-main/catalog/arrivals/arrivals.ts'
import type { DeskEvents } from '../../../src-main/contract/desk.ts'
import { Hub } from '../../../src-main/desk/hub.ts'
import { feedTransfers, transferSums } from '../../../src-main/desk/transfer-feed.ts'
import { operator } from '../../../src-main/domain/model.ts'
import { transfersWorld } from '../../support/transfers.ts'

type Told = DeskEvents['transfers']

async function fedWorld() {
  const world = await transfersWorld()
  const remoteTransfers = world.transfers
  const arrivals = new Arrivals({ ...world, now: world.clock.now })
  const hub = new Hub(world.log)
  const told: Told[] = []
  const onTold = vi.fn()
  feedTransfers({ ...world, hub, arrivals, remoteTransfers, onTold })
  const listen = () =>
    hub.subscribe((event) => {
      if (event.name === 'transfers') told.push(event.data)
    })
  return { ...world, arrivals, remoteTransfers, told, onTold, listen }
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const url = 'https://example.org/base.box'

describe('the feed of transfers', () => {
  it('tells the first change at once, and those after it together, five times a second at most', async () => {
    const { arrivals, told, listen } = await fedWorld()
    vi.advanceTimersByTime(1000)
    listen()
    const { id } = arrivals.addUrl(url)
    vi.advanceTimersByTime(1)
    expect(told).toMatchObject([{ arrivals: [{ id }], clientUploads: [], gone: [] }])
    const other = arrivals.addUrl(url)
    for (let i = 0; i < 100; i++) {
      arrivals.change(id, { name: `name-${i}` })
      vi.advanceTimersByTime(10)
    }
    expect(told.length).toBeLessThanOrEqual(7)
    expect(told[1]?.arrivals.map((arrival) => arrival.id)).toEqual([other.id, id])
    vi.advanceTimersByTime(200)
    expect(told.at(-1)?.arrivals).toMatchObject([{ id, draft: { name: 'name-99' } }])
  })

  it('names those that are gone', async () => {
    const { arrivals, told, listen } = await fedWorld()
    listen()
    const { id } = arrivals.addUrl(url)
    await arrivals.cancel(id)
    arrivals.dismiss([id])
    vi.advanceTimersByTime(1000)
    expect(told).toEqual([{ arrivals: [], clientUploads: [], remoteTransfers: [], gone: [id], held: false }])
  })

  it('tells of transfers to and from remotes, and counts them', async () => {
    const { transfers, request, arrivals, remoteTransfers, clientUploads, told, listen } = await fedWorld()
    vi.advanceTimersByTime(1000)
    listen()
    const [added] = transfers.add([request('tiny')])
    vi.advanceTimersByTime(1)
    expect(told).toMatchObject([{ remoteTransfers: [{ id: added?.id, state: 'queued', box: 'tiny' }] }])
    expect(transferSums({ arrivals, clientUploads, remoteTransfers })).toMatchObject({
      running: { count: 1 },
      waiting: 0
    })
    await transfers.hold(true)
    await transfers.cancel([added?.id ?? ''])
    vi.advanceTimersByTime(1000)
    expect(told.at(-1)).toMatchObject({ remoteTransfers: [{ state: 'cancelled' }], held: true })
    transfers.dismiss([added?.id ?? ''])
    vi.advanceTimersByTime(1000)
    expect(told.at(-1)?.gone).toEqual([added?.id])
  })

  it('looks at nothing while nobody listens', async () => {
    const { arrivals, told, listen, onTold } = await fedWorld()
    const end = listen()
    end()
    arrivals.addUrl(url)
    vi.advanceTimersByTime(1000)
    expect(told).toEqual([])
    expect(onTold).not.toHaveBeenCalled()
  })

  it('tells what clients send, from its beginning to its end', async () => {
    const {
      uploads,
      refTo,
      addBox,
      addVersion,
      addImage,
      told,
      listen,
      clientUploads,
      arrivals,
      remoteTransfers
    } = await fedWorld()
    addBox()
    addVersion()
    addImage()
    vi.advanceTimersByTime(1000)
    listen()
    const { id, key } = uploads.issue(operator, refTo(), 'simple')
    const body = new PassThrough()
    const received = uploads.receive(id, key, body, { length: 10 })
    vi.advanceTimersByTime(1)
    expect(told).toMatchObject([
      {
        clientUploads: [
          {
            what: 'acme/tiny 1.0.0 for virtualbox on amd64',
            box: { organization: 'acme', name: 'tiny' },
            ...{ size: 10, bytesRead: 0, bytesPerSecond: null }
          }
        ]
      }
    ])
    body.write('12345')
    await vi.waitUntil(() => clientUploads.list()[0]?.bytesRead === 5)
    expect(transferSums({ arrivals, clientUploads, remoteTransfers })).toEqual({
      running: { count: 1, done: 5, total: 10, bytesPerSecond: null },
      waiting: 0
    })
    body.end('67890')
    await received
    vi.advanceTimersByTime(1000)
    expect(told.at(-1)).toEqual({
      ...{ arrivals: [], clientUploads: [], remoteTransfers: [] },
      gone: [told[0]?.clientUploads[0]?.id],
      held: false
    })
  })
})

describe('an upload of a client', () => {
  async function sending() {
    const world = await fedWorld()
    world.addBox()
    world.addVersion()
    world.addImage()
    const { id, key } = world.uploads.issue(operator, world.refTo(), 'simple')
    const body = new PassThrough()
    const received = world.uploads.receive(id, key, body, { length: 10 })
    const refused = expect(received).rejects.toThrowError(
      /was cancelled at the registry, and nothing was changed/
    )
    return { ...world, body, refused, upload: world.clientUploads.list()[0]?.id ?? '' }
  }

  it('that is cancelled is refused at its next bytes, with its connection whole, and leaves nothing', async () => {
    const { body, refused, upload, clientUploads, image, blobs } = await sending()
    clientUploads.cancel(upload)
    body.write('12345')
    await refused
    expect(body.destroyed).toBe(false)
    expect(image().blob).toBeNull()
    for await (const { id } of blobs.staging()) expect.fail(id)
    expect(() => clientUploads.cancel(upload)).toThrowError('has ended already')
    expect(() => clientUploads.cancel(randomUUID())).toThrowError('has ended already')
  })

  it('that is cancelled while nothing comes is cut off after a moment', async () => {
    const { body, refused, upload, clientUploads } = await sending()
    clientUploads.cancel(upload)
    vi.advanceTimersByTime(1000)
    await refused
    expect(body.destroyed).toBe(true)
    expect(clientUploads.list()).toEqual([])
  })
})
