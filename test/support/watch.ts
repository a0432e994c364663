import { onTestFinished } from 'vitest'
import type { Standing } from '../../src-main/contract/standings.ts'
import { operator } from '../../src-main/domain/model.ts'
import { LocalEnd } from '../../src-main/remotes/ends/local/local-end.ts'
import { Watching } from '../../src-main/remotes/watch/watching.ts'
import { catalogWorld } from './catalog.ts'
import { MemoryEnd } from './memory-end.ts'
import { remotesWith } from './remotes.ts'

/** A catalogue with a remote in memory, that has the organization acme, and what looks at it. */
export async function watchWorld({ organizations = ['acme'] }: { organizations?: readonly string[] } = {}) {
  const world = await catalogWorld()
  const { db, events, log, clock } = world
  const there = new MemoryEnd()
  const introduction = { identity: 'lab', what: 'Lab', api: 'v2', account: 'ann', notes: [] } as const
  const { remotes, connections, close } = remotesWith({
    ...{ db, events, log, now: clock.now },
    reach: async () => {
      if (there.failure) throw there.failure
      return { end: there, introduction: { ...introduction, organizations } }
    }
  })
  onTestFinished(close)
  const local = new LocalEnd(world)
  const network = { is: 'lan' }
  const watching = new Watching({
    ...{ db, connections, local, events, log, now: clock.now },
    fingerprint: () => network.is
  })
  onTestFinished(() => watching.close())
  const remote = await remotes.add({ location: 'https://lab.example', name: 'Lab' })
  return {
    ...world,
    ...{ there, remotes, connections, local, watching, remote, network },
    /** The same box there as here. */
    async mirrorThere(tag: string): Promise<void> {
      const [organization = '', name = ''] = tag.split('/')
      const seen = await local.read({ organization, name })
      if (seen) there.has(tag, seen.snapshot)
    },
    /** How all boxes stand, by their names. */
    standings(): Record<string, Standing> {
      const query = { remoteId: remote.id, q: '', offset: 0, limit: 500 }
      const rows = [
        ...watching.boxes({ ...query, standing: null }).rows,
        ...watching.boxes({ ...query, standing: 'in-step' }).rows
      ]
      return Object.fromEntries(
        rows.map(({ organization, box, standing }) => [`${organization}/${box}`, standing])
      )
    },
    check: () => watching.check(remote.id),
    idle: () => watching.idle(),
    removeBox: (name: string) => world.boxes.remove(operator, 'acme', name),
    describe: (name: string, shortDescription: string) =>
      world.boxes.update(operator, 'acme', name, { shortDescription })
  }
}
