import { existsSync, readdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createApp, type App } from '../../src-main/app.ts'
import type { Arrival, ArrivalState } from '../../src-main/contract/arrivals.ts'
import { operator } from '../../src-main/domain/model.ts'
import { silentLog } from '../../src-main/log.ts'
import { box } from './archives.ts'
import { tempDir } from './temp.ts'

/** The whole product on a folder of its own, which can be ended and started again. */
export function arrivalsWorld() {
  const dataDir = tempDir()
  const files = tempDir()
  let app: App | null = null
  const close = async (): Promise<void> => {
    await app?.close()
    app = null
  }
  onTestFinished(close)

  return {
    dataDir,
    files,
    /** A box file of the person's. */
    file(name: string, bytes: Buffer = box()): string {
      writeFileSync(join(files, name), bytes)
      return join(files, name)
    },
    /** What lies in the staging area. */
    staged(): string[] {
      const folder = join(dataDir, 'uploads')
      return existsSync(folder) ? readdirSync(folder) : []
    },
    close,
    async open({ start = true } = {}): Promise<App> {
      await close()
      app = await createApp({ dataDir, log: silentLog })
      app.accounts.ensureOwner('acme')
      if (start) await app.arrivals.start()
      return app
    }
  }
}

/** Resolves with an arrival as soon as it passes; it is looked at whenever it changes. */
export function untilArrival(
  { arrivals, events }: App,
  id: string,
  passes: (arrival: Arrival) => boolean
): Promise<Arrival> {
  return new Promise((resolve) => {
    const look = (): void => {
      const arrival = arrivals.find(id)
      if (!arrival || !passes(arrival)) return
      end()
      resolve(arrival)
    }
    const end = events.on('arrival-changed', (event) => {
      if (event.id === id) look()
    })
    look()
  })
}

export const untilState = (app: App, id: string, ...states: ArrivalState[]): Promise<Arrival> =>
  untilArrival(app, id, ({ state }) => states.includes(state))

/** Adds one file of this machine. */
export async function addPath(
  { arrivals }: App,
  path: string,
  draft: Parameters<App['arrivals']['addPaths']>[1] = {}
): Promise<Arrival> {
  const {
    arrivals: [arrival],
    refused
  } = await arrivals.addPaths([path], draft)
  if (!arrival) throw new Error(`${path} was refused: ${JSON.stringify(refused)}`)
  return arrival
}

export const versionsOf = (app: App, name: string) => app.boxes.read(operator, 'acme', name).versions
export const imageOf = (app: App, name: string) => versionsOf(app, name)[0]?.images[0]
export const boxNamed = (provider: string, architecture = 'amd64') => box({ provider, architecture })

/** A box file that takes a while: what follows the archive is read and hashed as well. */
export function large(path: string, megabytes = 200): string {
  writeFileSync(path, box())
  truncateSync(path, megabytes * 1024 * 1024)
  return path
}
