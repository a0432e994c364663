import { onTestFinished } from 'vitest'
import type { End, Introduction } from '../../src-main/remotes/end.ts'
import type { HttpLimits } from '../../src-main/remotes/ends/http/limits.ts'
import { reachHttp } from '../../src-main/remotes/ends/http/reach.ts'
import { ofAnotherMake, openHostileRemote, say } from './hostile-remote.ts'

const never = new AbortController().signal

/** An end at an HTTP registry, closed with the test. */
export async function httpEnd(
  url: string,
  token: string | null,
  { api = null as 'v1' | 'v2' | null, limits = {} as Partial<HttpLimits> } = {}
): Promise<{ end: End; introduction: Introduction }> {
  const access = {
    kind: 'http',
    location: url,
    api,
    token,
    allowPlainHttp: false,
    certificates: null
  } as const
  const reached = await reachHttp(access, never, limits)
  onTestFinished(() => reached.end.close())
  return reached
}

/** The same server as one that nobody knows to be one of ours. */
export async function anotherMake(url: string): Promise<string> {
  const remote = await openHostileRemote(url)
  remote.when({}, ofAnotherMake, { times: Infinity })
  onTestFinished(remote.close)
  return remote.url
}

/** The same server as one that has never heard of v2. */
export async function v1Only(url: string): Promise<string> {
  const remote = await openHostileRemote(url)
  const unknown = { errors: ['There is nothing at this address.'], success: false }
  remote.when({ path: /^\/api\/v2\// }, say(404, unknown), { times: Infinity })
  onTestFinished(remote.close)
  return remote.url
}
