import type { Command } from 'commander'
import type { App } from '../app.ts'
import type { ConflictChoice, SyncRequest } from '../contract/sync.ts'
import { versionKey } from '../domain/sync/pairs.ts'
import { Problem } from '../domain/problem.ts'
import type { Seen } from '../remotes/end.ts'
import { RemoteFailure } from '../remotes/failure.ts'
import { dataCommand, withApp, withExamples } from './command.ts'
import { chooseOption, showPlans, start } from './sync.ts'
import { namedVersion } from './tag.ts'

interface Options {
  readonly data?: string
  readonly from: string
  readonly dryRun?: boolean
  readonly metadataOnly?: boolean
  readonly withRemovals?: boolean
  readonly choose?: Readonly<Record<string, ConflictChoice>>
  readonly wait?: boolean
  readonly json?: boolean
}

export function pullCommand(program: Command): void {
  withExamples(
    dataCommand(program, 'pull', 'bring a box, or one version of it, here from a remote')
      .argument(
        '<org/box[@version]>',
        'the box, as it is called here; without a version all that is new of it'
      )
      .requiredOption('--from <remote>', 'the remote, by its name')
      .option('--dry-run', 'only tell what would be done')
      .option(
        '--metadata-only',
        'bring no files: they stay at the remote until they are pulled; a box that is new here is a mirror'
      )
      .option('--with-removals', 'remove here what was removed there since both were the same')
      .addOption(chooseOption())
      .option('--wait', 'wait for a remote that does not answer')
      .option('--json', 'print one JSON object')
      .action((tag: string, options: Options) => withApp(options, (app) => pull(app, tag, options))),
    'pull acme/base --from lab --dry-run',
    'pull acme/base@1.2.0 --from lab',
    'pull acme/base --from lab --metadata-only'
  ).addHelpText('after', '\nExit codes: 1 it failed, 3 it waits for a remote that does not answer.')
}

async function pull(app: App, tag: string, options: Options): Promise<void> {
  const { organization, box, version } = namedVersion(tag)
  const { id } = await app.remotes.named(options.from)
  const request: SyncRequest = {
    direction: 'pull',
    remoteId: id,
    ...{ organization, box },
    ...(version !== undefined && { version }),
    ...(options.metadataOnly && { images: 'none' }),
    ...(options.withRemovals && { withRemovals: true }),
    ...(options.choose && { choices: options.choose })
  }
  if (!options.withRemovals) await requireThere(app, request)
  if (options.dryRun) await showPlans(app, [request], options.json === true)
  else await start(app, [request], options)
}

/** A person or a script waits for it. */
const patience = 20_000

/** A name that was mistyped is said at once; a remote that does not answer now may have it. */
async function requireThere(app: App, { remoteId, organization, box, version }: SyncRequest): Promise<void> {
  const signal = AbortSignal.timeout(patience)
  const tag = { organization, name: box }
  let missing: string
  try {
    const remote = await app.connections.open(remoteId, signal)
    try {
      const there = remote.there(tag)
      const seen = await remote.end.read(there, signal)
      if (seen && (version === undefined || hasVersion(seen, version))) return
      missing = `${remote.name} has no ${there.organization}/${there.name}${seen ? ` ${version}` : ''}, or not for its token.`
    } finally {
      await remote.end.close()
    }
  } catch (error) {
    if (error instanceof RemoteFailure || signal.aborted) return
    throw error
  }
  throw new Problem('missing', missing)
}

const hasVersion = ({ snapshot }: Seen, number: string): boolean =>
  snapshot.versions.some((version) => versionKey(version.number) === versionKey(number))
