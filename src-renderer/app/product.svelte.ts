import type { About, Settings, Status } from '../../src-main/contract/settings.ts'
import { ask, onEvent, onLost } from '../api.ts'

let about = $state.raw<About>()
let status = $state.raw<Status>()
let settings = $state.raw<Settings>()

/** What everything in the window wants to know of the product; undefined until it was read. */
export const product = {
  get about() {
    return about
  },
  get status() {
    return status
  },
  get settings() {
    return settings
  }
}

async function read(): Promise<void> {
  const none = (): undefined => undefined
  const [nextAbout, nextStatus, nextSettings] = await Promise.all([
    about ?? ask('about', {}).catch(none),
    ask('status', {}).catch(none),
    ask('settings.read', {}).catch(none)
  ])
  about = nextAbout ?? about
  status = nextStatus ?? status
  settings = nextSettings ?? settings
}

/** Reads it, and follows what changes from then on. */
export async function followProduct(): Promise<void> {
  onEvent('status', (now) => (status = now))
  onEvent('settings', (now) => (settings = now))
  onLost(() => void read())
  await read()
}

/** Asked for by whoever watches the connection: says by refusing that there is none. */
export async function readStatus(): Promise<void> {
  status = await ask('status', {})
}
