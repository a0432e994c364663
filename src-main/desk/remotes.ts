import type { Mirrored } from '../catalog/mirrored.ts'
import type { Mirrors } from '../remotes/mirrors/mirrors.ts'
import type { Connections } from '../remotes/connections.ts'
import type { Remotes } from '../remotes/remotes.ts'
import type { Watching } from '../remotes/watch/watching.ts'
import type { HandlersOf } from './handlers.ts'

interface Needs {
  readonly remotes: Remotes
  readonly connections: Pick<Connections, 'urge'>
  readonly watching: Watching
  readonly mirrors: Mirrors
  readonly mirrored: Mirrored
}

/** What the interface asks of remotes and mirrors. */
export const remotesHandlers = ({
  remotes,
  connections,
  watching,
  mirrors,
  mirrored
}: Needs): HandlersOf<'remotes' | 'mirrors'> => ({
  remotes: () => remotes.list(),
  'remotes.test': (input) => remotes.test(input),
  'remotes.add': (input) => remotes.add(input),
  'remotes.change': ({ id, changes }) => remotes.change(id, changes),
  'remotes.remove': async ({ id }) => ({ note: await remotes.remove(id) }),
  'remotes.check': async ({ id }) => {
    connections.urge(id)
    await watching.check(id)
    return remotes.read(id)
  },
  'remotes.boxes': (query) => watching.boxes(query),
  'remotes.elsewhere': ({ organization, box }) => watching.elsewhere(organization, box),
  'mirrors.list': () => mirrors.list(),
  'mirrors.save': ({ id, rule }) => mirrors.save(rule, id),
  'mirrors.remove': ({ id }) => mirrors.remove(id),
  'mirrors.preview': ({ rule }) => mirrors.preview(rule),
  'mirrors.run': ({ id }) => mirrors.run(id),
  'mirrors.fork': ({ organization, box }) => mirrored.fork(organization, box)
})
