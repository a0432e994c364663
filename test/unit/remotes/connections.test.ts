import { describe, expect, it } from 'vitest'
import { mostFailures, shortestPause } from '../../../src-main/domain/sync/breaker.ts'
import { RemoteFailure, type FailureKind } from '../../../src-main/remotes/failure.ts'
import { noteBoxes, notAborted, remotesWorld, token } from '../../support/remotes.ts'

describe('an open remote', () => {
  it('calls organizations as they are called there', async () => {
    const { remotes, connections, lab } = remotesWorld()
    const { id } = await lab()
    await remotes.change(id, { organizationMap: { home: 'acme' } })
    const { there, here, end, name } = await connections.open(id, notAborted)
    expect(name).toBe('Lab')
    expect(there({ organization: 'HOME', name: 'box' })).toEqual({ organization: 'acme', name: 'box' })
    expect(here({ organization: 'Acme', name: 'box' })).toEqual({ organization: 'home', name: 'box' })
    await end.close()
  })

  it('is asked who it is once for those who open it in a row, and closed after the last', async () => {
    const { connections, lab, asked, openEnds, later } = remotesWorld()
    const { id } = await lab()
    const [first, second] = [await connections.open(id, notAborted), await connections.open(id, notAborted)]
    expect(asked).toHaveLength(2)
    later(60_000)
    const third = await connections.open(id, notAborted)
    expect(asked).toHaveLength(3)
    expect(openEnds()).toBe(2)
    await first.end.close()
    await first.end.close()
    expect(openEnds()).toBe(2)
    await second.end.close()
    expect(openEnds()).toBe(1)
    await third.end.close()
    await connections.close()
    expect(openEnds()).toBe(0)
  })

  it('is not worked with when another one answers there, until the person says so', async () => {
    const { db, remotes, connections, lab, world } = remotesWorld()
    const { id } = await lab()
    noteBoxes(db, id, ['acme', 'in-step'])
    world['https://lab.example'] = { identity: 'another one', wants: token }
    await expect(connections.open(id, notAborted)).rejects.toMatchObject({ kind: 'another' })
    expect(await remotes.read(id)).toMatchObject({
      health: 'another',
      healthNote: expect.stringContaining('what is at https://lab.example') as string,
      standings: { 'in-step': 1 }
    })
    expect(await remotes.change(id, { acceptIdentity: true })).toMatchObject({
      health: 'fine',
      standings: {}
    })
    await (await connections.open(id, notAborted)).end.close()
  })

  it('is asked anew after it failed', async () => {
    const { connections, lab, asked } = remotesWorld()
    const { id } = await lab()
    await (await connections.open(id, notAborted)).end.close()
    connections.failed(id, new RemoteFailure('offline', ['The line was cut.']))
    await (await connections.open(id, notAborted)).end.close()
    expect(asked).toHaveLength(3)
  })

  it('keeps the failure to itself when the one who asked gave up', async () => {
    const { remotes, connections, lab, world } = remotesWorld()
    const { id } = await lab()
    delete world['https://lab.example']
    await expect(connections.open(id, AbortSignal.abort())).rejects.toThrow()
    expect((await remotes.read(id)).health).toBe('fine')
  })
})

describe('how a remote does', () => {
  it.each<[FailureKind, string]>([
    ['offline', 'unreachable'],
    ['busy', 'unreachable'],
    ['unauthorized', 'refused'],
    ['billing', 'billing'],
    ['odd', 'odd'],
    ['untrusted', 'odd'],
    ['rate-limited', 'fine'],
    ['missing', 'fine'],
    ['refused', 'fine'],
    ['forbidden', 'fine'],
    ['damaged', 'fine'],
    ['expired', 'fine'],
    ['no-room', 'fine']
  ])('after it was %s is %s', async (kind, health) => {
    const { remotes, connections, lab, changed } = remotesWorld()
    const { id } = await lab()
    connections.failed(id, new RemoteFailure(kind, ['What happened.', 'What to do.']))
    expect(await remotes.read(id)).toMatchObject({
      health,
      healthNote: health === 'fine' ? null : 'What happened. What to do.'
    })
    expect(changed).toHaveLength(health === 'fine' ? 1 : 2)
    connections.answered(id)
    expect(await remotes.read(id)).toMatchObject({ health: 'fine', healthNote: null })
  })

  it('is written down only when it is news, or now and then', async () => {
    const { db, connections, lab, later, changed } = remotesWorld()
    const { id } = await lab()
    const writes = (): number => db.prepare<[], number>('SELECT total_changes()').pluck().get() as number
    const before = writes()
    for (let i = 0; i < 10; i++) connections.answered(id)
    expect(writes()).toBe(before)
    later(60_000)
    connections.answered(id)
    expect(writes()).toBe(before + 1)
    expect(changed).toHaveLength(1)
  })

  it('keeps it from being asked again and again', async () => {
    const { remotes, connections, lab, world, asked, later, now } = remotesWorld()
    const { id } = await lab()
    delete world['https://lab.example']
    const tryIt = () => connections.open(id, notAborted)
    for (let i = 0; i < mostFailures; i++) {
      expect(connections.pausedUntil(id)).toBeNull()
      const failure = (await tryIt().catch((error: unknown) => error)) as RemoteFailure
      expect(failure.kind).toBe('offline')
      connections.failed(id, failure) // told by who opened it as well: one failure all the same
    }
    expect(connections.pausedUntil(id)).toBe(now() + shortestPause)
    const before = asked.length
    const refused = (await tryIt().catch((error: unknown) => error)) as RemoteFailure
    expect(refused).toMatchObject({ kind: 'offline', retryAfter: shortestPause })
    connections.failed(id, refused)
    expect(connections.pausedUntil(id)).toBe(now() + shortestPause)
    expect(asked).toHaveLength(before)
    expect((await remotes.read(id)).pausedUntil).toBe(now() + shortestPause)

    later(shortestPause)
    world['https://lab.example'] = { identity: 'lab' }
    await (await tryIt()).end.close()
    expect(connections.pausedUntil(id)).toBeNull()
    expect((await remotes.read(id)).health).toBe('fine')
  })

  it('gives it the time it asks for', async () => {
    const { connections, lab, world, now } = remotesWorld()
    const { id } = await lab()
    world['https://lab.example'] = { fails: 'rate-limited' }
    await expect(connections.open(id, notAborted)).rejects.toMatchObject({ kind: 'rate-limited' })
    expect(connections.pausedUntil(id)).toBe(now() + 5000)
  })
})
