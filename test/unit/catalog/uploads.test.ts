import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { operator } from '../../../src-main/domain/model.ts'
import { hours, minutes } from '../../support/access.ts'
import { catalogWorld, laterRefusal, refusal, someoneUnknown, timeToStart } from '../../support/catalog.ts'

const digest = (type: string, text: string): string => createHash(type).update(text).digest('hex')
const body = (text: string): Readable => Readable.from([Buffer.from(text)])

async function worldWithImage() {
  const world = await catalogWorld()
  world.addBox()
  world.addVersion()
  world.addImage()
  const { uploads, refTo } = world
  const blobNames = async (): Promise<string[]> => {
    const names: string[] = []
    for await (const { sha256 } of world.blobs.list()) names.push(sha256)
    return names
  }
  const stagedCount = async (): Promise<number> => {
    let count = 0
    for await (const staged of world.blobs.staging()) count += staged.id ? 1 : 0
    return count
  }
  return {
    ...world,
    blobNames,
    stagedCount,
    issue: (kind: 'simple' | 'direct' = 'simple') => uploads.issue(operator, refTo(), kind),
    send: ({ id, key }: { id: string; key: string }, text: string) => uploads.receive(id, key, body(text))
  }
}

/** A body whose bytes come when the test says so. */
function slowBody() {
  const stream = new Readable({ read() {} })
  return { stream, send: (text: string) => void stream.push(text), end: () => void stream.push(null) }
}

describe('asking where to upload', () => {
  it('is for contributors', async () => {
    const { uploads, refTo, callers } = await worldWithImage()
    refusal('unauthorized', () => uploads.issue(someoneUnknown, refTo(), 'simple'))
    refusal('forbidden', () => uploads.issue(callers.viewer, refTo(), 'simple'))
    refusal('missing', () => uploads.issue(callers.admin, refTo({ architecture: 'arm64' }), 'simple'))
    expect(uploads.issue(callers.contributor, refTo(), 'direct').id).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('gives a new address each time, and keeps the key of none', async () => {
    const { issue, db } = await worldWithImage()
    const [a, b] = [issue(), issue()]
    expect(a.key).not.toBe(b.key)
    expect(JSON.stringify(db.prepare('SELECT * FROM uploads').all())).not.toContain(a.key)
  })
})

describe('a simple upload', () => {
  it('is published by its last byte', async () => {
    const { issue, send, image } = await worldWithImage()
    const upload = issue()
    await send(upload, 'bytes')
    expect(image()).toMatchObject({
      blob: digest('sha256', 'bytes'),
      size: 5,
      hostedToken: upload.id,
      checksum: digest('sha256', 'bytes')
    })
  })

  it('may be repeated by a client that did not hear the answer, for a time', async () => {
    const { issue, send, image, clock } = await worldWithImage()
    const upload = issue()
    await send(upload, 'bytes')
    clock.pass(timeToStart)
    await send(upload, 'again')
    expect(image().checksum).toBe(digest('sha256', 'again'))
    clock.pass(timeToStart + 1)
    await laterRefusal('missing', send(upload, 'late'))
    expect(image().checksum).toBe(digest('sha256', 'again'))
  })

  it('has nothing to finish, and finishing it once it is done answers the image', async () => {
    const { issue, send, image, uploads, refTo } = await worldWithImage()
    const upload = issue()
    await laterRefusal('invalid', uploads.finish(operator, refTo(), upload.id))
    await send(upload, 'bytes')
    expect(await uploads.finish(operator, refTo(), upload.id)).toEqual(image())
  })
})

describe('a direct upload', () => {
  it('is published by its callback alone, and answers the same when called back twice', async () => {
    const { issue, send, image, uploads, refTo, downloads, callers } = await worldWithImage()
    const upload = issue('direct')
    await send(upload, 'bytes')
    expect(image()).toMatchObject({ blob: null, hostedToken: null })
    refusal('missing', () => downloads.locate(operator, refTo()))
    const finished = await uploads.finish(callers.contributor, refTo(), upload.id)
    expect(finished).toMatchObject({ blob: digest('sha256', 'bytes'), hostedToken: upload.id })
    expect(await uploads.finish(callers.contributor, refTo(), upload.id)).toEqual(finished)
  })

  it('cannot be finished before its bytes are here', async () => {
    const { issue, uploads, refTo } = await worldWithImage()
    const [sentence] = await laterRefusal('invalid', uploads.finish(operator, refTo(), issue('direct').id))
    expect(sentence).toMatch(/No file has arrived/)
  })

  it('may be sent again until it is finished, not after', async () => {
    const { issue, send, image, uploads, refTo } = await worldWithImage()
    const upload = issue('direct')
    await send(upload, 'bytes')
    await send(upload, 'others')
    await uploads.finish(operator, refTo(), upload.id)
    expect(image().checksum).toBe(digest('sha256', 'others'))
    await laterRefusal('missing', send(upload, 'late'))
  })

  it('is finished by contributors, for its own image alone', async () => {
    const { issue, send, addImage, uploads, refTo, callers } = await worldWithImage()
    addImage({ architecture: 'arm64' })
    const { id, key } = issue('direct')
    await send({ id, key }, 'bytes')
    await laterRefusal('unauthorized', uploads.finish(someoneUnknown, refTo(), id))
    await laterRefusal('forbidden', uploads.finish(callers.viewer, refTo(), id))
    await laterRefusal('missing', uploads.finish(operator, refTo({ architecture: 'arm64' }), id))
    await laterRefusal('missing', uploads.finish(operator, refTo(), 'no-such-id'))
  })
})

describe('an upload address', () => {
  it('expires before its first byte, not after', async () => {
    const { issue, send, uploads, clock, image } = await worldWithImage()
    const [late, slow] = [issue(), issue()]
    const { stream, send: push, end } = slowBody()
    const arriving = uploads.receive(slow.id, slow.key, stream)
    push('by')
    clock.pass(timeToStart + 1)
    await laterRefusal('missing', send(late, 'bytes'))
    push('tes')
    end()
    await arriving
    expect(image().size).toBe(5)
  })

  it('can be tried again after a broken upload, however long that took', async () => {
    const { issue, send, uploads, clock, image, blobNames, stagedCount } = await worldWithImage()
    const upload = issue()
    const { stream, send: push } = slowBody()
    const arriving = uploads.receive(upload.id, upload.key, stream)
    push('by')
    stream.destroy(new Error('connection lost'))
    await expect(arriving).rejects.toThrow()
    expect(image().blob).toBeNull()
    expect(await blobNames()).toEqual([])
    expect(await stagedCount()).toBe(0)
    clock.pass(hours(5))
    await send(upload, 'bytes')
    expect(image().size).toBe(5)
  })

  it('is not there for an unknown id or a wrong key', async () => {
    const { issue, send } = await worldWithImage()
    const upload = issue()
    await laterRefusal('missing', send({ id: upload.id, key: issue().key }, 'bytes'))
    await laterRefusal('missing', send({ id: upload.id, key: '' }, 'bytes'))
    await laterRefusal('missing', send({ id: 'no-such-id', key: upload.key }, 'bytes'))
  })
})

describe('a declared checksum', () => {
  const others = digest('sha256', 'others')

  it.each(['simple', 'direct'] as const)(
    'refuses other bytes of a %s upload, and nothing changes',
    async (kind) => {
      const { issue, send, image, images, refTo, upload, blobNames, stagedCount } = await worldWithImage()
      await upload('bytes')
      await images.update(operator, refTo(), { checksum: digest('md5', 'others'), checksumType: 'md5' })
      const before = image()
      const [sentence] = await laterRefusal('invalid', send(issue(kind), 'wrong'))
      expect(sentence).toContain(digest('md5', 'others'))
      expect(image()).toEqual(before)
      expect(await blobNames()).toEqual([digest('sha256', 'bytes')])
      expect(await stagedCount()).toBe(0)
    }
  )

  it('still binds after a refusal, and no longer once it was met', async () => {
    const { issue, send, image, images, refTo } = await worldWithImage()
    await images.update(operator, refTo(), { checksum: digest('md5', 'others'), checksumType: 'md5' })
    await laterRefusal('invalid', send(issue(), 'wrong'))
    await laterRefusal('invalid', send(issue(), 'wrong'))
    await send(issue(), 'others')
    expect(image()).toMatchObject({ checksum: digest('md5', 'others'), checksumType: 'md5' })
    await send(issue(), 'newer')
    expect(image()).toMatchObject({ checksum: digest('md5', 'newer'), checksumType: 'md5' })
  })

  it('given while the bytes come is looked at when they are here', async () => {
    const { issue, uploads, image, images, refTo } = await worldWithImage()
    const { id, key } = issue()
    const { stream, send: push, end } = slowBody()
    const arriving = uploads.receive(id, key, stream)
    push('by')
    await images.update(operator, refTo(), { checksum: digest('sha512', 'others'), checksumType: 'sha512' })
    push('tes')
    end()
    await laterRefusal('invalid', arriving)
    expect(image().blob).toBeNull()
  })

  it('given between the bytes and the callback of a direct upload is looked at by the callback', async () => {
    const { issue, send, uploads, image, images, refTo } = await worldWithImage()
    const [wrong, right] = [issue('direct'), issue('direct')]
    await send(wrong, 'bytes')
    await send(right, 'others')
    await images.update(operator, refTo(), { checksum: digest('sha384', 'others'), checksumType: 'sha384' })
    await laterRefusal('invalid', uploads.finish(operator, refTo(), wrong.id))
    expect(image().blob).toBeNull()
    expect(await uploads.finish(operator, refTo(), right.id)).toMatchObject({
      checksum: digest('sha384', 'others'),
      checksumType: 'sha384',
      blob: others
    })
  })
})

describe('replacing the file of a released version', () => {
  it('serves the old one until the new one is whole', async () => {
    const { uploads, issue, image, upload, versions, downloads, refTo } = await worldWithImage()
    await upload('bytes')
    versions.release(operator, 'acme', 'tiny', '1.0.0')
    const { id, key } = issue()
    const { stream, send: push, end } = slowBody()
    const arriving = uploads.receive(id, key, stream)
    push('oth')
    await new Promise(setImmediate)
    expect(downloads.locate(someoneUnknown, refTo()).image.blob).toBe(digest('sha256', 'bytes'))
    push('ers')
    end()
    await arriving
    expect(image()).toMatchObject({ blob: digest('sha256', 'others'), checksum: digest('sha256', 'others') })
    expect(versions.read(someoneUnknown, 'acme', 'tiny', '1.0.0').status).toBe('active')
  })
})

describe('what is deleted while bytes arrive', () => {
  it.each([
    [
      'box',
      (world: Awaited<ReturnType<typeof worldWithImage>>) => world.boxes.remove(operator, 'acme', 'tiny')
    ],
    [
      'version',
      (world: Awaited<ReturnType<typeof worldWithImage>>) =>
        world.versions.remove(operator, 'acme', 'tiny', '1.0.0')
    ],
    [
      'image',
      (world: Awaited<ReturnType<typeof worldWithImage>>) => world.images.remove(operator, world.refTo())
    ]
  ])('(the %s) is missing, and nothing appears', async (_, remove) => {
    const world = await worldWithImage()
    const { uploads, issue, blobNames, stagedCount, db } = world
    for (const kind of ['simple', 'direct'] as const) {
      const { id, key } = issue(kind)
      const { stream, send: push, end } = slowBody()
      const arriving = uploads.receive(id, key, stream)
      push('bytes')
      await new Promise(setImmediate)
      if (kind === 'simple') remove(world)
      else world.images.remove(operator, world.refTo())
      end()
      await laterRefusal('missing', arriving)
      expect(await blobNames()).toEqual([])
      expect(await stagedCount()).toBe(0)
      expect(db.prepare('SELECT count(*) FROM blobs').pluck().get()).toBe(0)
      if (kind === 'simple') {
        if (!db.prepare('SELECT 1 FROM boxes').get()) world.addBox()
        if (!db.prepare('SELECT 1 FROM versions').get()) world.addVersion()
        world.addImage()
      }
    }
  })
})

describe('sweeping', () => {
  it('forgets what nobody came back to for a day, and nothing else', async () => {
    const { issue, send, uploads, clock, refTo } = await worldWithImage()
    const abandoned = issue('direct')
    await send(abandoned, 'bytes')
    clock.pass(hours(20))
    const waiting = issue('direct')
    await send(waiting, 'others')
    clock.pass(hours(5))
    await uploads.sweep()
    await laterRefusal('missing', uploads.finish(operator, refTo(), abandoned.id))
    expect((await uploads.finish(operator, refTo(), waiting.id)).size).toBe(6)
  })

  it('leaves an upload alone that has taken more than a day and is still coming', async () => {
    const { issue, uploads, clock, image } = await worldWithImage()
    const { id, key } = issue()
    const { stream, send: push, end } = slowBody()
    const arriving = uploads.receive(id, key, stream)
    for (let hour = 0; hour < 30; hour += 1) {
      clock.pass(minutes(60))
      push('x')
      await new Promise(setImmediate)
    }
    await uploads.sweep()
    end()
    await arriving
    expect(image().size).toBe(30)
  })
})
