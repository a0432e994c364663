import { Accounts } from './access/accounts.ts'
import { Authentication } from './access/authentication.ts'
import { Passwords } from './access/passwords.ts'
import { Permissions } from './access/permissions.ts'
import { SecondFactor } from './access/second-factor.ts'
import { ShownCodes } from './access/shown-codes.ts'
import { SignIn } from './access/sign-in.ts'
import { Tokens } from './access/tokens.ts'
import type { BlobDriver } from './blobs/driver.ts'
import { fsDriver } from './blobs/fs-driver.ts'
import { Lending } from './blobs/lending.ts'
import { Arrivals } from './catalog/arrivals/arrivals.ts'
import { Boxes } from './catalog/boxes.ts'
import { Changes } from './catalog/changes.ts'
import { ClientUploads } from './catalog/client-uploads.ts'
import { Downloads } from './catalog/downloads.ts'
import { Events } from './catalog/events.ts'
import { Images } from './catalog/images.ts'
import { Mirrored } from './catalog/mirrored.ts'
import { Importer } from './catalog/importer.ts'
import { Placing } from './catalog/placing.ts'
import { Profiles } from './catalog/profiles.ts'
import { Library } from './catalog/library.ts'
import { Publishing } from './catalog/publishing.ts'
import { Search } from './catalog/search.ts'
import { Sidecars } from './catalog/sidecars.ts'
import { Synced } from './catalog/synced.ts'
import { Storage } from './catalog/storage.ts'
import { AutomaticBackups } from './catalog/upkeep/automatic-backups.ts'
import { openCatalogueOrRecover } from './catalog/upkeep/recovery.ts'
import { Jobs } from './catalog/upkeep/jobs.ts'
import { Upkeep } from './catalog/upkeep/upkeep.ts'
import { Uploads } from './catalog/uploads.ts'
import { DiskUsage } from './catalog/usage.ts'
import { Trash } from './catalog/trash.ts'
import { Versions } from './catalog/versions.ts'
import type { Log } from './log.ts'
import { Connections } from './remotes/connections.ts'
import { LocalEnd } from './remotes/ends/local/local-end.ts'
import { Mirrors } from './remotes/mirrors/mirrors.ts'
import { Planning } from './remotes/planning.ts'
import { Remotes } from './remotes/remotes.ts'
import { RemoteTokens } from './remotes/tokens.ts'
import { requestsOf } from './remotes/transfers/of-arrival.ts'
import { RemoteTransfers } from './remotes/transfers/transfers.ts'
import { Watching } from './remotes/watch/watching.ts'
import { listingTable } from './store/listings.ts'
import { Preferences } from './settings/preferences.ts'
import { PersonSettings } from './settings/settings.ts'
import type { Db } from './store/open.ts'
import { revisionPerTurn } from './store/revision.ts'
import { settingsTable, type SettingsTable } from './store/settings.ts'
import { Keychain } from './vault/keychain.ts'
import type { StartHelper } from './vault/keychain-process.ts'
import { fileVault } from './vault/vault.ts'

/** Everything the product can do, wired together once. Both faces are built on one of these. */
export interface App {
  readonly dataDir: string
  readonly log: Log
  readonly db: Db
  /** Another text whenever anything in the database has changed. */
  readonly revision: () => string
  readonly settings: SettingsTable
  readonly personSettings: PersonSettings
  readonly preferences: Preferences

  readonly accounts: Accounts
  readonly tokens: Tokens
  readonly authentication: Authentication
  readonly signIn: SignIn
  readonly shownCodes: ShownCodes
  readonly permissions: Permissions

  readonly blobs: BlobDriver
  readonly lending: Lending
  readonly events: Events
  readonly boxes: Boxes
  readonly versions: Versions
  readonly images: Images
  readonly trash: Trash
  readonly uploads: Uploads
  readonly clientUploads: ClientUploads
  readonly arrivals: Arrivals
  readonly downloads: Downloads
  readonly importer: Importer
  readonly sidecars: Sidecars
  readonly search: Search
  readonly library: Library
  readonly profiles: Profiles
  readonly usage: DiskUsage
  readonly storage: Storage

  readonly mirrored: Mirrored
  readonly local: LocalEnd
  readonly remotes: Remotes
  readonly connections: Connections
  readonly planning: Planning
  readonly remoteTransfers: RemoteTransfers
  readonly watching: Watching
  readonly mirrors: Mirrors

  readonly upkeep: Upkeep
  readonly jobs: Jobs
  readonly automaticBackups: AutomaticBackups

  close(): Promise<void>
}

export interface AppOptions {
  readonly dataDir: string
  readonly log: Log
  /** Whether a damaged catalogue may be replaced: only by the process that holds the serve lock. */
  readonly repair?: boolean
  /** How long the address of an upload waits for its first byte, in milliseconds. */
  readonly uploadWait?: number | undefined
  /** How a process beside this one is started, where that is not Node's own way. */
  readonly startHelper?: StartHelper | undefined
}

/** Enough to find it in the source. */
const longestShownSql = 160

export async function createApp({
  dataDir,
  log,
  repair = false,
  uploadWait,
  startHelper
}: AppOptions): Promise<App> {
  const blobs = fsDriver(dataDir)
  const onSlow = (sql: string, ms: number): void =>
    log.warn(
      `slow statement, ${Math.round(ms)} ms: ${sql.trim().replaceAll(/\s+/g, ' ').slice(0, longestShownSql)}`
    )
  const { db, recovery } = await openCatalogueOrRecover({ dataDir, blobs, log, onSlow, repair })
  const passwords = new Passwords()
  const secondFactor = new SecondFactor(db, fileVault(dataDir), log)
  const shownCodes = new ShownCodes(secondFactor, log)
  const tokens = new Tokens(db)
  const revision = revisionPerTurn(db)
  const authentication = new Authentication(db, log, Date.now, revision)
  const accounts = new Accounts(db, { passwords, secondFactor })
  const permissions = new Permissions(db)

  const events = new Events({ log })
  const listings = listingTable(db)
  const sidecars = new Sidecars({ db, blobs, log })
  const changes = new Changes({ db, listings, events, sidecars })
  const boxes = new Boxes({ db, permissions, changes })
  const versions = new Versions({ db, permissions, changes })
  const images = new Images({ db, permissions, changes, blobs })
  const publishing = new Publishing({ db, changes, blobs })
  const clientUploads = new ClientUploads({ events })
  const uploads = new Uploads({
    ...{ db, permissions, blobs, publishing, clientUploads },
    timeToStart: uploadWait
  })
  const placing = new Placing({ db, blobs, boxes, versions, images, publishing, changes })
  const settings = settingsTable(db)
  const personSettings = new PersonSettings(db, log)
  const arrivals = new Arrivals({
    ...{ db, accounts, blobs, placing, events, log },
    parallelReads: () => personSettings.read().parallelReads,
    maintenance: () => settings.get('maintenance') === true,
    alsoPublish: (draft) => void remoteTransfers.add(requestsOf(draft))
  })
  personSettings.onChange(() => arrivals.readMore())
  const keychain = new Keychain({ log, start: startHelper })
  const remoteTokens = new RemoteTokens({ keychain, log })
  const connections = new Connections({ db, tokens: remoteTokens, events, log })
  const mirrored = new Mirrored({ db, changes })
  const remotes = new Remotes({ db, tokens: remoteTokens, connections, mirrored, events })
  const synced = new Synced({
    ...{ db, accounts, permissions, blobs, boxes, versions, images, publishing, changes }
  })
  const local = new LocalEnd({ db, blobs, boxes, versions, images, synced, mirrored })
  const planning = new Planning({ db, connections, local })
  const remoteTransfers = new RemoteTransfers({
    ...{ db, connections, planning, events, log, blobs, mirrored },
    settings: () => personSettings.read(),
    lookAtSettings: () => void personSettings.look(),
    maintenance: () => settings.get('maintenance') === true
  })
  personSettings.onChange(() => remoteTransfers.kick())
  const watching = new Watching({ db, connections, local, events, log })
  const mirrors = new Mirrors({ db, connections, local, transfers: remoteTransfers, events, log })
  const search = new Search(dataDir, permissions)
  const profiles = new Profiles({ db, accounts, sidecars })
  const upkeep = new Upkeep({ dataDir, db, blobs, accounts, changes, sidecars, profiles, uploads, recovery })
  const usage = new DiskUsage(dataDir)
  const jobs = new Jobs({ dataDir, upkeep, log })
  const automaticBackups = new AutomaticBackups({ dataDir, log })

  return {
    dataDir,
    log,
    db,
    revision,
    settings,
    personSettings,
    preferences: new Preferences(db),
    accounts,
    tokens,
    authentication,
    signIn: new SignIn(db, { passwords, tokens, secondFactor, shownCodes }, log),
    shownCodes,
    permissions,
    blobs,
    lending: new Lending(dataDir),
    events,
    boxes,
    versions,
    images,
    trash: new Trash({ db, permissions, changes }),
    uploads,
    clientUploads,
    arrivals,
    downloads: new Downloads({ db, permissions, listings }),
    importer: new Importer({ accounts, blobs, placing, sidecars }),
    sidecars,
    search,
    library: new Library(search),
    profiles,
    usage,
    storage: new Storage({ dataDir, usage }),
    mirrored,
    local,
    remotes,
    connections,
    planning,
    remoteTransfers,
    watching,
    mirrors,
    upkeep,
    jobs,
    automaticBackups,
    async close() {
      // First: what is being read is parked, which needs everything else.
      await arrivals.close()
      await mirrors.close()
      await watching.close()
      await remoteTransfers.close()
      await connections.close()
      keychain.close()
      await jobs.close()
      await usage.close()
      await automaticBackups.close()
      await sidecars.close()
      await search.close()
      await blobs.close()
      authentication.close()
      db.close()
    }
  }
}
