import type { Events } from '../catalog/events.ts'
import type { Log } from '../log.ts'
import type { PersonSettings } from '../settings/settings.ts'
import type { Hub } from './hub.ts'
import type { StatusLine } from './status.ts'

/** How often is looked, in milliseconds. */
export interface WatchPace {
  /** Changes in between are told together. */
  readonly together: number
  /** For what other processes did, and whatever else has no event of its own. */
  readonly look: number
  /** For how full the disk is. */
  readonly disk: number
}

const usualPace: WatchPace = { together: 200, look: 1000, disk: 10_000 }
/** More names than a page would look for are no longer told one by one. */
const mostNames = 100

interface Parts {
  readonly hub: Hub
  readonly events: Events
  readonly revision: () => string
  readonly settings: PersonSettings
  readonly status: StatusLine
  readonly log: Log
  readonly pace?: WatchPace
}

/** Does something that is nobody's business but the asker's: windows and pages are not told of it. */
export type Quietly = <T>(work: () => T) => T

/** Tells windows and pages what changed: at once what this process did, within a second what any other did. */
export function watch({ hub, events, revision, settings, status, log, pace = usualPace }: Parts): Quietly {
  let seen = ''
  hub.whileListening(() => {
    const names = new Set<string>()
    let soon: NodeJS.Timeout | null = null
    const tell = (): void => {
      soon = null
      const boxes = names.size > mostNames ? null : [...names]
      names.clear()
      hub.emit({ name: 'changed', data: { boxes } })
    }
    const note = ({ organization, box }: { organization: string; box: string }): void => {
      names.add(`${organization}/${box}`)
      soon ??= setTimeout(tell, pace.together)
    }

    seen = revision()
    const look = (): void => {
      const now = revision()
      if (now === seen) return
      seen = now
      settings.look()
      // The boxes that events named may be all or only a part of it: nobody can tell, so everything is.
      hub.emit({ name: 'changed', data: { boxes: null } })
      status.refresh()
    }
    const guarded = (work: () => void) => (): void => {
      try {
        work()
      } catch (error) {
        log.error('what changed could not be looked at', error)
      }
    }

    const ends = [
      events.on('box-changed', note),
      events.on('box-removed', note),
      // Not all of how a remote does is in the database: whether its token can be had, and until when it is left alone.
      events.on('remote-changed', () => void (soon ??= setTimeout(tell, pace.together))),
      settings.onChange((now) => hub.emit({ name: 'settings', data: now })),
      status.onChange((now) => hub.emit({ name: 'status', data: now }))
    ]
    const timers = [
      setInterval(guarded(look), pace.look),
      setInterval(() => status.refresh({ disk: true }), pace.disk)
    ]
    status.refresh({ disk: true })
    return () => {
      for (const end of ends) end()
      for (const timer of timers) clearInterval(timer)
      if (soon) clearTimeout(soon)
    }
  })
  return (work) => {
    const before = revision()
    try {
      return work()
    } finally {
      // What others changed before is still told.
      if (seen === before) seen = revision()
    }
  }
}
