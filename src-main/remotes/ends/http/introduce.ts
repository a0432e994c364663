import { z } from 'zod'
import { nameFault } from '../../../domain/names.ts'
import type { Introduction } from '../../end.ts'
import { RemoteFailure } from '../../failure.ts'
import type { Api } from './api.ts'
import { apiPaths, type ApiVersion } from './api-paths.ts'
import type { Incoming } from './exchange.ts'
import { readJson } from './read-json.ts'
import { odd } from './said.ts'

const whose = z.object({ user: z.object({ username: z.string() }) })
const member = z.object({ organizations: z.array(z.string()) })

const mostOrganizations = 10_000

/** Who answers, and what follows from that for the work with it. */
export interface Met {
  readonly introduction: Introduction
  readonly version: ApiVersion
  /** Whether it is another Boxyard, which compares what arrives with what was declared. */
  readonly isBoxyard: boolean
}

/** Asks a registry who it is and for whom it takes us. Without an answer in v2, it is asked in v1. */
export async function introduce(api: Api, wanted: ApiVersion | null, signal: AbortSignal): Promise<Met> {
  const versions: readonly ApiVersion[] = wanted === null ? ['v2', 'v1'] : [wanted]
  let last: RemoteFailure | null = null
  for (const version of versions) {
    const met = await ask(api, version, signal)
    if (!(met instanceof RemoteFailure)) return met
    // Only what says that there is nothing of this version here leaves the other to be tried.
    if (!['missing', 'refused', 'odd'].includes(met.kind)) throw met
    last = met
  }
  throw last?.kind === 'odd' ? last : noRegistry(api.host)
}

async function ask(api: Api, version: ApiVersion, signal: AbortSignal): Promise<Met | RemoteFailure> {
  let incoming: Incoming
  try {
    incoming = await api.begin({
      method: 'GET',
      at: `${apiPaths(version).authenticate}?organizations=true`,
      signal
    })
  } catch (error) {
    if (error instanceof RemoteFailure) return error
    throw error
  }
  const id = registryId(incoming.headers)
  if (incoming.status < 200 || incoming.status > 299) {
    const failure = await api.refusal(incoming, false)
    return failure.kind === 'unauthorized' && api.token === null ? met(api, version, id, null, []) : failure
  }
  const read = await readJson(incoming, api.host, api.limits)
  const username = read.isJson ? usernameOf(read.json) : null
  // Some registries answer nothing but the status; whatever else is on the web does not answer in JSON.
  if (!read.isJson || (username === null && read.json !== null))
    return odd(api.host, 'something else than whose the token is')
  return met(api, version, id, username, organizationsOf(read.json, username))
}

function met(
  api: Api,
  version: ApiVersion,
  id: string | null,
  account: string | null,
  organizations: readonly string[]
): Met {
  const product = id === null ? 'Registry' : 'Boxyard'
  return {
    version,
    isBoxyard: id !== null,
    introduction: {
      // Without an id of its own, a registry is who it is by its address and by whom it knows us as.
      identity:
        id === null ? `at ${api.base.href.replace(/\/$/, '')} as ${account ?? 'nobody'}` : `registry ${id}`,
      what: `${product} at ${api.host}`,
      api: version,
      account,
      organizations,
      notes: [
        ...(api.token === null
          ? ['Without a token, public boxes can be read there and nothing can be published.']
          : []),
        ...(version === 'v1'
          ? ['It knows no architectures: each provider of a version has one image, the default one.']
          : [])
      ]
    }
  }
}

const registryId = (headers: Incoming['headers']): string | null => {
  const id = headers['x-registry-id']
  return typeof id === 'string' && /^[A-Za-z0-9-]{8,64}$/.test(id) ? id : null
}

function usernameOf(json: unknown): string | null {
  const parsed = whose.safeParse(json)
  const name = parsed.success ? parsed.data.user.username : null
  return name !== null && nameFault('The account', name) === null ? name : null
}

/** Those it tells of, else the account's own alone, which every registry has. */
function organizationsOf(json: unknown, account: string | null): string[] {
  const parsed = member.safeParse(json)
  const told = parsed.success ? parsed.data.organizations.slice(0, mostOrganizations) : []
  const usable = told.filter((name) => nameFault('The organization', name) === null)
  if (usable.length > 0) return usable
  return account === null ? [] : [account]
}

const noRegistry = (host: string): RemoteFailure =>
  new RemoteFailure('odd', [
    `${host} answers, and has no registry at this address.`,
    'Check the address of this remote; the path of the API does not belong to it.'
  ])
