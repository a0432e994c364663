import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import type { Listed, Listing } from '../../end.ts'
import { RemoteFailure } from '../../failure.ts'
import type { Api } from './api.ts'
import type { ApiPaths } from './api-paths.ts'
import { BoxSplitter, NotAListing } from './box-splitter.ts'
import { tooSlow } from './broken.ts'
import { listedOf } from './documents.ts'
import type { Incoming } from './exchange.ts'
import { isSaidToBeJson } from './read-json.ts'
import { odd } from './said.ts'

const pageSize = 200

/** By organization, the ETag of what it listed. */
const cursors = z.record(z.string(), z.string())

interface Parts {
  readonly api: Api
  readonly paths: ApiPaths
}

/** Lists organizations, each box as it comes in. Nothing changed only when nothing did in any of them. */
export async function list(
  { api, paths }: Parts,
  organizations: readonly string[],
  /** Whether one that is not there is passed over. */
  lenient: boolean,
  cursor: string | null,
  signal: AbortSignal
): Promise<Listing> {
  const known = read(cursor)
  const begin = (organization: string, ifNot: string | null): Promise<Incoming> =>
    api.begin({ method: 'GET', at: paths.user(organization), ifNot, signal })

  // As long as all are as they were, they are only asked; the first that is not is the first to be read.
  const unchanged: string[] = []
  let first: { organization: string; incoming: Incoming } | null = null
  for (const organization of organizations) {
    const incoming = await begin(organization, known[organization] ?? null)
    if (incoming.status !== 304) {
      first = { organization, incoming }
      break
    }
    incoming.body.destroy()
    unchanged.push(organization)
  }
  if (!first) return { unchanged: true, boxes: none(), cursor: () => cursor }

  const tags: Record<string, string> = {}
  let complete = true
  async function* boxes(opened: {
    organization: string
    incoming: Incoming
  }): AsyncGenerator<readonly Listed[]> {
    const rest = organizations.filter((name) => name !== opened.organization)
    for (const organization of [opened.organization, ...rest]) {
      const incoming =
        organization === opened.organization ? opened.incoming : await begin(organization, null)
      if (incoming.status !== 200) {
        const failure = await api.refusal(incoming, false)
        if (!lenient || failure.kind !== 'missing') throw worded(failure, organization, api.host)
        complete = false
        continue
      }
      yield* pages(api, organization, incoming)
      const { etag } = incoming.headers
      if (etag === undefined) complete = false
      else tags[organization] = etag
    }
    done = true
  }
  let done = false
  return {
    unchanged: false,
    boxes: boxes(first),
    cursor: () => (done && complete ? JSON.stringify(tags) : null)
  }
}

function read(cursor: string | null): Readonly<Record<string, string>> {
  try {
    const parsed = cursors.safeParse(cursor === null ? {} : JSON.parse(cursor))
    return parsed.success ? parsed.data : {}
  } catch {
    return {}
  }
}

async function* none(): AsyncGenerator<readonly Listed[]> {}

const worded = (failure: RemoteFailure, organization: string, host: string): RemoteFailure =>
  failure.kind === 'missing'
    ? new RemoteFailure('missing', [
        `There is no organization ${organization} at ${host}, or not for this token.`
      ])
    : failure

async function* pages(
  api: Api,
  organization: string,
  { headers, body }: Incoming
): AsyncGenerator<readonly Listed[]> {
  if (!isSaidToBeJson({ headers })) {
    body.destroy()
    throw odd(api.host, 'something other than JSON')
  }
  const { listTime, listedBytes, listedBoxes } = api.limits
  const late = (): void =>
    void body.destroy(tooSlow(`${api.host} took too long to list its boxes.`, { sent: true, changes: false }))
  const timer = setTimeout(late, listTime)
  const splitter = new BoxSplitter(listedBytes)
  let page: Listed[] = []
  let listed = 0
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      for (const text of splitter.take(chunk)) {
        const box = listedOf(JSON.parse(text), organization)
        if ((listed += 1) > listedBoxes) throw odd(api.host, 'a list of boxes without end')
        if (box) page.push(box)
        if (page.length < pageSize) continue
        yield page
        page = []
        // Bytes that have come already would otherwise be worked through without anybody else getting a turn.
        await setImmediate()
      }
    }
    splitter.end()
  } catch (error) {
    if (error instanceof NotAListing || error instanceof SyntaxError)
      throw odd(api.host, 'a list of boxes that cannot be read', error)
    throw error
  } finally {
    clearTimeout(timer)
    body.destroy()
  }
  if (page.length > 0) yield page
}
