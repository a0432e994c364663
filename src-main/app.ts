import { type Log } from './log.ts'
import { openCatalogue, type Db } from './store/open.ts'

/** Everything the product can do, wired together once. Both faces are built on one of these. */
export interface App {
  readonly dataDir: string
  readonly log: Log
  readonly db: Db
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
  return {
    dataDir,
    log,
    db,
    async close() {
      db.close()
    }
  }
}
