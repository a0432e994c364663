import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { RemoteFailure } from '../../../../src-main/remotes/failure.ts'
import { hours, minutes, seconds } from '../../../support/access.ts'
import { watchWorld } from '../../../support/watch.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

/** A remote that was looked at a moment ago by a service that was started. */
async function started(checkMinutes: number | null = 60) {
  const world = await watchWorld()
  await world.remotes.change(world.remote.id, { checkMinutes })
  await world.check()
  world.watching.start()
  world.there.takeAsked()
  return {
    ...world,
    /** Lets time pass, and everybody look at the clock. */
    async pass(ms: number): Promise<void> {
      world.clock.pass(ms)
      vi.advanceTimersByTime(seconds(6))
      // What has begun is joined; where nothing was due, a look of the test's own would be seen.
      await world.idle()
    }
  }
}

const offline = () => new RemoteFailure('offline', ['Nobody answers.'])

describe('a remote is looked at by itself', () => {
  it('when its interval is over, and not before', async () => {
    const { pass, there } = await started(60)
    await pass(minutes(59))
    expect(there.takeAsked()).toEqual([])
    await pass(minutes(8))
    expect(there.takeAsked()).toEqual(['list acme'])
    await pass(minutes(30))
    expect(there.takeAsked()).toEqual([])
  })

  it('never when that is left to the person', async () => {
    const { pass, there } = await started(null)
    await pass(hours(1000))
    expect(there.takeAsked()).toEqual([])
  })

  it('sooner and sooner less often while it does not answer', async () => {
    const { pass, there, remotes, connections, remote, clock } = await started(60)
    there.failure = offline()
    let looks = 0
    const open = connections.open.bind(connections)
    connections.open = (...args) => ((looks += 1), open(...args))
    await pass(hours(2))
    expect(looks).toBe(1)
    await pass(minutes(1.2))
    expect(looks).toBe(2)
    await pass(minutes(1))
    expect(looks).toBe(2)
    await pass(minutes(1.5))
    expect(looks).toBe(3)
    there.failure = null
    clock.pass(hours(1))
    await pass(0)
    expect(there.takeAsked()).toEqual(['list acme'])
    expect(await remotes.read(remote.id)).toMatchObject({ health: 'fine' })
  })

  it('at once when this machine is on a network again', async () => {
    const { pass, there, check, network } = await started(60)
    there.failure = offline()
    await check()
    await pass(0)
    there.takeAsked()
    there.failure = null
    await pass(0)
    expect(there.takeAsked()).toEqual([])
    network.is = 'another'
    await pass(0)
    expect(there.takeAsked()).toEqual(['list acme'])
  })

  it('when something else found out that it answers again', async () => {
    const { pass, there, check, connections, remote } = await started(60)
    there.failure = offline()
    await check()
    there.takeAsked()
    there.failure = null
    connections.answered(remote.id)
    await pass(0)
    expect(there.takeAsked()).toEqual(['list acme'])
  })

  it('although the clock was set back', async () => {
    const { pass, there } = await started(60)
    await pass(-hours(1000))
    expect(there.takeAsked()).toEqual(['list acme'])
  })

  it('although the clock was set back while it did not answer', async () => {
    const { pass, there, check } = await started(60)
    there.failure = offline()
    await check()
    await pass(0)
    there.failure = null
    there.takeAsked()
    await pass(-hours(1000))
    expect(there.takeAsked()).toEqual(['list acme'])
  })
})
