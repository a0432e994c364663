import { randomBytes } from 'node:crypto'
import { beforeEach, expect } from 'vitest'
import { operator } from '../../src-main/domain/model.ts'
import type { End } from '../../src-main/remotes/end.ts'
import { RemoteFailure } from '../../src-main/remotes/failure.ts'
import * as bad from './hostile-remote.ts'
import { hostileRemote, type HostileRemote, type Misbehaviour } from './hostile-remote.ts'
import { sampleFile, sampleRegistry, type SampleRegistry } from './registry.ts'
import { httpEnd } from './remote-ends.ts'

export const { start } = sampleRegistry()
export const never = new AbortController().signal

export const limits = {
  ...bad.tightLimits,
  listTime: 5_000,
  jsonBytes: 256 * 1024,
  listedBytes: 64 * 1024,
  listedBoxes: 1000
}

export const big = randomBytes(3_000_000)
export const tag = { organization: 'acme', name: 'tiny' }
/** An image without bytes, and one with. */
export const empty = { version: '1.1.0', provider: 'virtualbox', architecture: 'amd64' }
export const full = { version: '1.0.0', provider: 'virtualbox', architecture: 'amd64' }
export const fullBytes = sampleFile('tiny amd64')

export const askDirect = { method: 'GET', path: /\/upload\/direct$/ }
export const askSimple = { method: 'GET', path: /\/upload$/ }
export const send = { method: 'PUT', path: /^\/upload\// }
export const callback = { method: 'PUT', path: /\/upload\/direct\/./ }
export const download = { method: 'GET', path: /vagrant\.box$/ }
export const readBox = { method: 'GET', path: /\/box\/acme\/tiny$/ }
export const listing = { method: 'GET', path: /\/user\/acme(\?|$)/ }

/** What the remote is to do, in place of what is asked of it. */
export type Arranged = readonly (readonly [
  Parameters<HostileRemote['when']>[0],
  Misbehaviour,
  { times?: number; skip?: number }?
])[]

export let registry: SampleRegistry
export let remote: HostileRemote
export let end: End

/** Each test has a registry with a remote in front of it that answers as it is told to, and an end at that. */
export function eachWithHostileRemote(): void {
  beforeEach(async () => {
    registry = await start()
    remote = await hostileRemote(registry.url)
    end = (await httpEnd(remote.url, registry.tokens.owner, { limits })).end
    return () => {
      // Whatever else it does, it is never told the token anywhere but where it belongs.
      for (const noted of remote.trap.noted) expect(noted.token).toBeNull()
      for (const noted of remote.noted) if (noted.path.startsWith('/upload/')) expect(noted.token).toBeNull()
    }
  })
}

export async function failureOf(work: Promise<unknown>): Promise<RemoteFailure> {
  const error = await work.then(
    () => null,
    (error: unknown) => error
  )
  if (!(error instanceof RemoteFailure)) throw new Error('no failure of a remote', { cause: error })
  // Sentences for people: whole, and without what nobody may read.
  for (const sentence of error.sentences) expect(sentence).toMatch(/^\S.*[.!?…:]$/s)
  expect(`${error.message} ${String(error.cause)}`).not.toContain(registry.tokens.owner)
  expect(error.message).not.toMatch(/key=|undefined|\[object|ECONN|EPIPE/)
  return error
}

export const fileOf = (image: typeof empty) =>
  registry.app.images.read(operator, { ...image, organization: 'acme', box: 'tiny' })
