import { settings as shape, type Settings, type SettingsChanges } from '../contract/settings.ts'
import { Problem } from '../domain/problem.ts'
import type { Log } from '../log.ts'
import { settingsTable, type SettingsTable } from '../store/settings.ts'
import type { Db } from '../store/open.ts'
import { write } from '../store/write.ts'

/** How everything is set until the person says otherwise. */
export const defaultSettings: Settings = {
  appearance: 'system',
  port: 7575,
  shareOnLan: false,
  allowedHosts: [],
  requestsPerMinute: 6000,
  parallelReads: 2,
  parallelTransfers: 2,
  uploadLimit: null,
  downloadLimit: null,
  graceHours: 24,
  keepInTray: true,
  startAtLogin: false
}

type Listener = (now: Settings, before: Settings) => void

const hostName = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:[0-9]{1,5})?$/i

/** What the person has set. Only what differs from the defaults is kept, so that later defaults reach everybody else. */
export class PersonSettings {
  readonly #db: Db
  readonly #table: SettingsTable
  readonly #log: Log
  readonly #listeners = new Set<Listener>()
  #now: Settings

  constructor(db: Db, log: Log) {
    this.#db = db
    this.#table = settingsTable(db)
    this.#log = log
    this.#now = this.#stored()
  }

  read(): Settings {
    return this.#now
  }

  /** Told after a change was saved, whoever made it. Returns what ends it. */
  onChange(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  change(changes: SettingsChanges): Settings {
    write(this.#db, () => {
      const wanted = { ...this.#stored(), ...defined(changes) }
      refuseUnusable(wanted)
      const kept = Object.entries(wanted).filter(
        ([name, value]) => !same(value, defaultSettings[name as keyof Settings])
      )
      this.#table.set('person', Object.fromEntries(kept))
    })
    return this.look()
  }

  /** Reads them again: another process, or a backup that was restored, may have changed them. */
  look(): Settings {
    const before = this.#now
    const now = this.#stored()
    if (same(before, now)) return before
    this.#now = now
    for (const listener of this.#listeners) {
      try {
        listener(now, before)
      } catch (error) {
        this.#log.error('a listener to the settings failed', error)
      }
    }
    return now
  }

  /** What is kept may come from another version of the program: what this one cannot use is as it is by default. */
  #stored(): Settings {
    const kept = this.#table.get('person') ?? {}
    const usable = Object.entries(shape.shape).flatMap(([name, field]) => {
      const parsed = field.safeParse(kept[name])
      return parsed.success ? [[name, parsed.data]] : []
    })
    return { ...defaultSettings, ...Object.fromEntries(usable) }
  }
}

function refuseUnusable({ allowedHosts }: Settings): void {
  const unusable = allowedHosts.find((name) => !hostName.test(name))
  if (unusable !== undefined)
    throw new Problem(
      'invalid',
      `"${unusable}" is no name a server can have; write it as lab.example, 192.168.1.5 or lab:8080.`
    )
}

const defined = (changes: SettingsChanges): Partial<Settings> =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
