import type { Db } from './open.ts'

/** What the product remembers between runs, by name. Whoever needs another setting adds it here. */
export interface Settings {
  /** Id of the account made by the first start. */
  owner: number
  /** Tells this registry from every other, also from one that answers at its address later. */
  registryId: string
  /** While true, nothing may be changed, and clients are asked to come back later. */
  maintenance: boolean
  /** What the person has set, by name; read with suspicion. */
  person: Record<string, unknown>
  /** While true, nothing begins to go to or come from remotes. */
  transfersHeld: boolean
}

export function settingsTable(db: Db) {
  const get = db.prepare<[string], string>('SELECT value FROM settings WHERE key = ?').pluck()
  const set = db.prepare<[string, string]>(
    'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value'
  )
  const remove = db.prepare<[string]>('DELETE FROM settings WHERE key = ?')
  return {
    get<K extends keyof Settings>(key: K): Settings[K] | null {
      const value = get.get(key)
      return value === undefined ? null : (JSON.parse(value) as Settings[K])
    },
    /** Null forgets it. */
    set<K extends keyof Settings>(key: K, value: Settings[K] | null): void {
      if (value === null) remove.run(key)
      else set.run(key, JSON.stringify(value))
    }
  }
}

export type SettingsTable = ReturnType<typeof settingsTable>

/** Names something in the catalogue, and so goes where that goes. All others are about the machine. */
const settingOfCatalogue: keyof Settings = 'owner'

/** Gives a catalogue from another time or machine the settings and preferences of this one. */
export function keepMachineSettings(here: Db, copy: Db): void {
  const kept = here
    .prepare<[string], [string, string]>('SELECT key, value FROM settings WHERE key <> ?')
    .raw()
    .all(settingOfCatalogue)
  copy.prepare('DELETE FROM settings WHERE key <> ?').run(settingOfCatalogue)
  const put = copy.prepare<[string, string]>('INSERT INTO settings (key, value) VALUES (?, ?)')
  for (const row of kept) put.run(...row)
}

const prefix = 'preference/'

/** What the interface wants to remember, in rows beside the settings. */
export function preferencesTable(db: Db) {
  const all = db.prepare<[], { key: string; value: string }>(
    `SELECT substr(key, ${prefix.length + 1}) AS key, value FROM settings WHERE key GLOB '${prefix}*' ORDER BY key`
  )
  const count = db.prepare<[], number>(`SELECT count(*) FROM settings WHERE key GLOB '${prefix}*'`).pluck()
  const has = db.prepare<[string], number>('SELECT count(*) FROM settings WHERE key = ?').pluck()
  const set = db.prepare<[string, string]>(
    'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value'
  )
  const remove = db.prepare<[string]>('DELETE FROM settings WHERE key = ?')
  return {
    all: () => all.all(),
    count: (): number => count.get() ?? 0,
    has: (key: string): boolean => has.get(prefix + key) === 1,
    set: (key: string, value: string): void => void set.run(prefix + key, value),
    remove: (key: string): void => void remove.run(prefix + key)
  }
}

export type PreferencesTable = ReturnType<typeof preferencesTable>
