import { onTestFinished } from 'vitest'
import { Events } from '../../src-main/catalog/events.ts'
import type { Log } from '../../src-main/log.ts'
import { Connections } from '../../src-main/remotes/connections.ts'
import type { Access, End, Introduction } from '../../src-main/remotes/end.ts'
import type { openEnd } from '../../src-main/remotes/ends/open-end.ts'
import { RemoteFailure, type FailureKind } from '../../src-main/remotes/failure.ts'
import { Remotes } from '../../src-main/remotes/remotes.ts'
import { RemoteTokens } from '../../src-main/remotes/tokens.ts'
import { openCatalogue, type Db } from '../../src-main/store/open.ts'
import { Keychain } from '../../src-main/vault/keychain.ts'
import { rememberingLog } from './registry.ts'
import { tempDir } from './temp.ts'

export const notAborted = new AbortController().signal
export const token = 'remote-token-1'

/** A list of remotes with their connections; no keychain but what is kept in memory, unless one is given. */
export function remotesWith(parts: {
  db: Db
  events: Events
  log: Log
  now?: () => number
  reach?: typeof openEnd
  keychain?: Keychain
}) {
  const keychain = parts.keychain ?? new Keychain({ log: parts.log, waitMs: 0 })
  const tokens = new RemoteTokens({ keychain, log: parts.log })
  const connections = new Connections({ ...parts, tokens })
  // Boxes themselves are of no interest here.
  const mirrored = { forkAllOf: () => Promise.resolve() }
  const remotes = new Remotes({ ...parts, tokens, connections, mirrored })
  return {
    ...{ remotes, connections, keychain },
    async close(): Promise<void> {
      await connections.close()
      keychain.close()
    }
  }
}

/** What stands at an address: who it says it is, and which token it takes, if it wants one. */
export interface Standing extends Partial<Introduction> {
  readonly wants?: string
  readonly fails?: FailureKind
}

/** A list of remotes over a real catalogue; what stands at each address is the test's to say. */
export function remotesWorld() {
  const dataDir = tempDir()
  const log = rememberingLog()
  const db = openCatalogue(dataDir)
  onTestFinished(() => void db.close())
  const world: Record<string, Standing> = {
    'https://lab.example': { identity: 'lab', wants: token, account: 'ann', organizations: ['acme'] },
    'https://open.example': { identity: 'open' },
    '/media/usb': { identity: 'folder', api: null }
  }
  const asked: Access[] = []
  let open = 0
  let clock = 1_000_000
  const events = new Events({ log })
  const changed: number[] = []
  events.on('remote-changed', ({ id }) => changed.push(id))
  const { remotes, connections, keychain, close } = remotesWith({
    ...{ db, events, log },
    now: () => clock,
    async reach(access) {
      asked.push(access)
      const found = world[access.location]
      if (!found) throw new RemoteFailure('offline', ['Nobody answers.'])
      const { wants, fails, ...said } = found
      if (fails)
        throw new RemoteFailure(fails, [`It is ${fails}.`], {
          retryAfter: fails === 'rate-limited' ? 5000 : null
        })
      if (wants !== undefined && access.token !== wants)
        throw new RemoteFailure('unauthorized', ['It does not take the token.'])
      open += 1
      const end = {
        traits: { architectures: true, longestShortDescription: 255, writable: true },
        close: async () => void (open -= 1)
      } as Partial<End> as End
      return {
        end,
        introduction: {
          ...{
            identity: '',
            what: `what is at ${access.location}`,
            api: 'v2',
            account: null,
            organizations: [],
            notes: []
          },
          ...said
        }
      }
    }
  })
  onTestFinished(close)
  return {
    ...{ dataDir, db, remotes, connections, world, asked, changed, log, keychain },
    openEnds: () => open,
    later: (ms: number) => (clock += ms),
    now: () => clock,
    lab: () => remotes.add({ location: 'https://lab.example', name: 'Lab', token })
  }
}

/** How boxes stand, as those who look at remotes note it. */
export function noteBoxes(db: Db, remoteId: number, ...boxes: readonly (readonly [string, string])[]): void {
  const insert = db.prepare(
    `INSERT INTO remote_boxes (remote_id, tag_key, organization, name, base, standing, checked_at)
     VALUES (?, ?, ?, 'box', '{}', ?, 0)`
  )
  for (const [organization, standing] of boxes)
    insert.run(remoteId, `${organization}/box`, organization, standing)
}
