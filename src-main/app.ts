import { Accounts } from './access/accounts.ts'
import { Authentication } from './access/authentication.ts'
import { Passwords } from './access/passwords.ts'
import { Permissions } from './access/permissions.ts'
import { SecondFactor } from './access/second-factor.ts'
import { SignIn } from './access/sign-in.ts'
import { Tokens } from './access/tokens.ts'
import { type Log } from './log.ts'
import { openCatalogue, type Db } from './store/open.ts'
import { settingsTable, type SettingsTable } from './store/settings.ts'
import { fileVault } from './vault/vault.ts'

/** Everything the product can do, wired together once. Both faces are built on one of these. */
export interface App {
  readonly dataDir: string
  readonly log: Log
  readonly db: Db
  readonly settings: SettingsTable
  readonly accounts: Accounts
  readonly tokens: Tokens
  readonly authentication: Authentication
  readonly signIn: SignIn
  readonly permissions: Permissions
  close(): Promise<void>
}

export interface AppOptions {
  readonly dataDir: string
  readonly log: Log
}

export async function createApp({ dataDir, log }: AppOptions): Promise<App> {
  const db = openCatalogue(dataDir, (sql, ms) =>
    log.warn(`slow statement, ${Math.round(ms)} ms: ${sql.trim().replaceAll(/\s+/g, ' ')}`)
  )
  const passwords = new Passwords()
  const secondFactor = new SecondFactor(db, fileVault(dataDir), log)
  const tokens = new Tokens(db)
  const authentication = new Authentication(db, log)
  return {
    dataDir,
    log,
    db,
    settings: settingsTable(db),
    accounts: new Accounts(db, { passwords, secondFactor }),
    tokens,
    authentication,
    signIn: new SignIn(db, { passwords, tokens, secondFactor }, log),
    permissions: new Permissions(db),
    async close() {
      authentication.close()
      db.close()
    }
  }
}
