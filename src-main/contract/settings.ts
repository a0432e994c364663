import { z } from 'zod'
import { name } from './words.ts'

/** What the person can set. Some of it means something on a desktop alone, see Capabilities. */
export const settings = z.strictObject({
  appearance: z.enum(['system', 'light', 'dark']),
  port: z.number().int().min(0).max(65_535),
  /** Whether other machines may use the registry. */
  shareOnLan: z.boolean(),
  /** More names this server is reached by. */
  allowedHosts: z.array(name).max(100),
  /** Requests each client of another machine may make in a minute. */
  requestsPerMinute: z.number().int().min(10).max(1_000_000_000),
  /** Files read at the same time when many are dropped. */
  parallelReads: z.number().int().min(1).max(8),
  /** Boxes brought to or from remotes at the same time. */
  parallelTransfers: z.number().int().min(1).max(8),
  /** Bytes per second to and from all remotes together; null for no limit. */
  uploadLimit: z.number().int().min(1024).nullable(),
  downloadLimit: z.number().int().min(1024).nullable(),
  /** The age at which a clean-up removes what nothing uses. */
  graceHours: z
    .number()
    .min(0)
    .max(24 * 365),
  keepInTray: z.boolean(),
  startAtLogin: z.boolean()
})
export type Settings = z.infer<typeof settings>

export const settingsChanges = settings.partial()
export type SettingsChanges = z.infer<typeof settingsChanges>

/** How the registry's server does. */
export interface ServerStatus {
  readonly state: 'running' | 'stopped' | 'failed'
  /** For clients on this machine: the exact value of VAGRANT_SERVER_URL. */
  readonly url: string
  /** For clients on others, while it is shared. */
  readonly lanUrls: readonly string[]
  /** Why it does not run, or not where the settings say, in sentences. */
  readonly problem: readonly string[] | null
  readonly maintenance: boolean
  /** Settings that do not take effect now, because the command line that started the program says otherwise. */
  readonly fixedByCommandLine: readonly (keyof Settings)[]
}

/** What this face can do beyond what every face can; the interface leaves out the rest. */
export interface Capabilities {
  /** Files have paths, and dialogs of the system choose them. */
  readonly paths: boolean
  /** A file manager can be shown a file, and given one by dragging it out. */
  readonly fileManager: boolean
  readonly tray: boolean
  readonly loginItem: boolean
}

/** Who and what the interface is talking to; true for the whole run. */
export interface About {
  readonly face: 'desktop' | 'browser'
  readonly version: string
  /** As process.platform names it. */
  readonly platform: string
  readonly owner: string
  readonly dataFolder: string
  readonly capabilities: Capabilities
}

/** The line at the bottom of the window. */
export interface Status {
  readonly server: ServerStatus
  readonly diskFree: number
  readonly running: {
    readonly count: number
    readonly done: number
    readonly total: number
    readonly bytesPerSecond: number | null
  }
  /** Arrivals that wait for the person. */
  readonly waiting: number
}
