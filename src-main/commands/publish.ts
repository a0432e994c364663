import type { Command } from 'commander'
import type { App } from '../app.ts'
import type { ConflictChoice, SyncRequest } from '../contract/sync.ts'
import { operator } from '../domain/model.ts'
import { versionKey } from '../domain/sync/pairs.ts'
import { Problem } from '../domain/problem.ts'
import { dataCommand, withApp, withExamples } from './command.ts'
import { append } from './option-values.ts'
import { chooseOption, showPlans, start } from './sync.ts'
import { namedVersion } from './tag.ts'

interface Options {
  readonly data?: string
  readonly to: readonly string[]
  readonly dryRun?: boolean
  readonly release: boolean
  readonly withRemovals?: boolean
  readonly choose?: Readonly<Record<string, ConflictChoice>>
  readonly wait?: boolean
  readonly json?: boolean
}

export function publishCommand(program: Command): void {
  withExamples(
    dataCommand(program, 'publish', 'bring a box, or one version of it, to remotes')
      .argument('<org/box[@version]>', 'the box; without a version all that is new of it')
      .requiredOption('--to <remote>', 'the remote, by its name (repeatable)', append)
      .option('--dry-run', 'only tell what would be done')
      .option('--no-release', 'leave unreleased there what is released here')
      .option('--with-removals', 'remove there what was removed here since both were the same')
      .addOption(chooseOption())
      .option('--wait', 'wait for a remote that does not answer')
      .option('--json', 'print one JSON object a remote')
      .action((tag: string, options: Options) => withApp(options, (app) => publish(app, tag, options))),
    'publish acme/base --to lab --dry-run',
    'publish acme/base@1.2.0 --to lab --to usb',
    'publish acme/base --to lab --no-release'
  ).addHelpText(
    'after',
    '\nOnly what differs is sent. Without a server on this folder the command does it all itself; with one, the server' +
      '\ndoes it and the command waits. Exit codes: 1 it failed, 3 it waits for a remote that does not answer.'
  )
}

async function publish(app: App, tag: string, options: Options): Promise<void> {
  const { organization, box, version } = namedVersion(tag)
  requireHere(app, organization, box, version)
  const requests: SyncRequest[] = []
  for (const name of new Set(options.to)) {
    const { id } = await app.remotes.named(name)
    if (requests.some(({ remoteId }) => remoteId === id)) continue
    requests.push({
      direction: 'publish',
      remoteId: id,
      ...{ organization, box },
      ...(version !== undefined && { version }),
      ...(!options.release && { release: false }),
      ...(options.withRemovals && { withRemovals: true }),
      ...(options.choose && { choices: options.choose })
    })
  }
  if (options.dryRun) await showPlans(app, requests, options.json === true)
  else await start(app, requests, options)
}

function requireHere(app: App, organization: string, box: string, version: string | undefined): void {
  try {
    const { versions } = app.boxes.read(operator, organization, box)
    if (version === undefined || versions.some(({ number }) => versionKey(number) === versionKey(version)))
      return
  } catch (error) {
    if (!(error instanceof Problem) || error.kind !== 'missing') throw error
    throw new Problem('missing', `There is no box ${organization}/${box} here.`)
  }
  throw new Problem('missing', `${organization}/${box} has no version ${version} here.`)
}
