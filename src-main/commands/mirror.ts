import { InvalidArgumentError, Option, type Command } from 'commander'
import type { App } from '../app.ts'
import { counted } from '../contract/counted.ts'
import type { Mirror, MirrorPreview, MirrorRule } from '../contract/mirrors.ts'
import { sizeText } from '../contract/size-text.ts'
import { Problem } from '../domain/problem.ts'
import { settleCutOff } from '../remotes/transfers/carry-out.ts'
import { carry } from './carry.ts'
import { dataCommand, duration, print, wholeNumber, withApp, withExamples } from './command.ts'
import { append, size } from './option-values.ts'
import { printable, shortTime, table } from './table.ts'
import { namedBox } from './tag.ts'

interface AddOptions {
  readonly data?: string
  readonly from: string
  readonly newest?: number
  readonly provider?: readonly string[]
  readonly arch?: readonly string[]
  readonly maxSize?: number
  /** In milliseconds; 0 for only by hand. */
  readonly every: number
  readonly prereleases: boolean
  readonly removeGone?: boolean
  readonly dryRun?: boolean
  readonly json?: boolean
}

interface RunOptions {
  readonly data?: string
  readonly all?: boolean
  readonly dryRun?: boolean
  readonly wait?: boolean
  readonly json?: boolean
}

const minute = 60_000
const longestInterval = 7 * 24 * 60 * minute
const usualInterval = 6 * 60 * minute

export function mirrorCommands(program: Command): void {
  const mirror = program.command('mirror').description('keep boxes of a remote here too, by rules')
  addCommand(mirror)
  listCommand(mirror)
  runCommand(mirror)
  withExamples(
    dataCommand(mirror, 'remove', 'forget a rule; what was mirrored stays')
      .argument('<id>', 'its id, as `boxyard mirror list` shows it', ruleId)
      .action((id: number, options: { data?: string }) =>
        withApp(options, (app) => {
          app.mirrors.remove(id)
          print(`Mirror rule ${id} is removed; what it brought here stays.`)
        })
      ),
    'mirror remove 2'
  )
  withExamples(
    dataCommand(mirror, 'fork', 'make a mirrored box one of your own, which no longer follows the remote')
      .argument('<org/box>', 'the box')
      .action((tag: string, options: { data?: string }) =>
        withApp(options, ({ mirrored }) => {
          const { organization, box } = namedBox(tag)
          mirrored.fork(organization, box)
          print(`${organization}/${box} is a box of its own now.`)
        })
      ),
    'mirror fork acme/base'
  )
}

function addCommand(mirror: Command): void {
  withExamples(
    dataCommand(mirror, 'add', 'add a rule, which a running server then follows')
      .argument('<pattern>', 'boxes as the remote names them; a star stands for any letters: acme/*')
      .requiredOption('--from <remote>', 'the remote, by its name')
      .addOption(
        new Option('--newest <number>', 'files of only so many newest versions (default: all)').argParser(
          wholeNumber(0, 10_000)
        )
      )
      .option('--provider <name>', 'files for this provider alone (repeatable)', append)
      .option('--arch <name>', 'files for this architecture alone (repeatable)', append)
      .addOption(new Option('--max-size <size>', 'no larger files, as 700MB or 5GB').argParser(size))
      .addOption(
        new Option('--every <time>', 'how often, as 30m, 6h or 1d; or "never" for only by hand')
          .argParser(interval)
          .default(usualInterval, '6h')
      )
      .option('--no-prereleases', 'no files of prereleases')
      .option('--remove-gone', 'what is deleted there goes to the trash here, but never most of it at once')
      .option('--dry-run', 'only tell what would be mirrored')
      .option('--json', 'print one JSON object')
      .action((pattern: string, options: AddOptions) =>
        withApp(options, (app) => add(app, pattern, options))
      ),
    'mirror add "acme/*" --from lab --newest 2 --provider libvirt --dry-run',
    'mirror add acme/base --from lab --max-size 5GB --every 12h'
  ).addHelpText(
    'after',
    '\nAll boxes the pattern names are known here afterwards, with all their versions; files are fetched as the rule says.'
  )
}

async function add(app: App, pattern: string, options: AddOptions): Promise<void> {
  const remote = await app.remotes.named(options.from)
  const rule: MirrorRule = {
    remoteId: remote.id,
    boxes: pattern,
    newest: options.newest ?? null,
    prereleases: options.prereleases,
    providers: [...(options.provider ?? [])],
    architectures: [...(options.arch ?? [])],
    largestBytes: options.maxSize ?? null,
    removeGone: options.removeGone === true,
    everyMinutes: options.every === 0 ? null : Math.round(options.every / minute),
    enabled: true
  }
  if (options.dryRun) return showPreview(await app.mirrors.preview(rule), options.json === true)
  const saved = app.mirrors.save(rule)
  if (options.json) return print(JSON.stringify(saved))
  print(`Mirror rule ${saved.id}: ${describe(saved)}`)
  print(`"boxyard mirror run ${saved.id}" runs it now; a running server does so by itself.`)
}

function listCommand(mirror: Command): void {
  withExamples(
    dataCommand(mirror, 'list', 'list the rules there are')
      .option('--json', 'print JSON')
      .action((options: { data?: string; json?: boolean }) =>
        withApp(options, (app) => {
          const rules = app.mirrors.list()
          if (options.json) return print(JSON.stringify(rules))
          print(
            table(
              ['ID', 'REMOTE', 'BOXES', 'FILES', 'LAST RUN', 'NOTE'],
              rules.map((rule) => [
                String(rule.id),
                rule.remoteName,
                rule.boxes,
                filesText(rule),
                rule.lastRunAt === null ? 'never' : shortTime(rule.lastRunAt),
                rule.enabled ? (rule.lastNote ?? '') : 'off'
              ])
            )
          )
        })
      ),
    'mirror list'
  )
}

function runCommand(mirror: Command): void {
  withExamples(
    dataCommand(mirror, 'run', 'run a rule now, and bring here what it says')
      .argument('[id]', 'its id, as `boxyard mirror list` shows it', ruleId)
      .option('--all', 'run all rules')
      .option('--dry-run', 'only tell what would be brought here')
      .option('--wait', 'wait for a remote that does not answer')
      .option('--json', 'print one JSON object a rule, and one a box that was brought here')
      .action((id: number | undefined, options: RunOptions) =>
        withApp(options, (app) => run(app, id, options))
      ),
    'mirror run 2',
    'mirror run --all --dry-run'
  )
}

async function run(app: App, id: number | undefined, options: RunOptions): Promise<void> {
  if ((id === undefined) !== (options.all === true))
    throw new Problem('invalid', 'Say which rule to run by its id, or --all.')
  const rules = app.mirrors.list().filter((rule) => options.all || rule.id === id)
  if (rules.length === 0)
    throw new Problem(
      'missing',
      id === undefined ? 'There are no mirror rules yet.' : `There is no mirror rule ${id}.`
    )
  if (!options.dryRun) await settleCutOff(app)
  let failed = 0
  for (const rule of rules) {
    if (options.dryRun) {
      if (!options.json) print(`Mirror rule ${rule.id}: ${describe(rule)}`)
      showPreview(await app.mirrors.preview(ruleOf(rule)), options.json === true)
      continue
    }
    const ran = await app.mirrors.run(rule.id)
    if (ran.lastFailed) failed += 1
    if (options.json) print(JSON.stringify(ran))
    else if (ran.lastFailed) process.stderr.write(`boxyard: ${printable(`${rule.boxes}: ${ran.lastNote}`)}\n`)
    else print(printable(`${rule.boxes} from ${rule.remoteName}: ${ran.lastNote}`))
  }
  if (options.dryRun) return
  const remotes = new Set(rules.map(({ remoteId }) => remoteId))
  const waiting = app.remoteTransfers
    .list()
    .filter(
      ({ byMirror, remoteId, state }) =>
        byMirror &&
        remoteId !== null &&
        remotes.has(remoteId) &&
        (state === 'queued' || state === 'waiting' || state === 'running')
    )
    .map(({ id }) => id)
  if (waiting.length > 0)
    await carry(app, waiting, { wait: options.wait === true, json: options.json === true })
  if (failed > 0)
    throw new Problem(
      'invalid',
      failed === 1 ? 'The rule could not be run.' : `${failed} rules could not be run.`
    )
}

function showPreview(preview: MirrorPreview, json: boolean): void {
  if (json) return print(JSON.stringify(preview))
  const { boxes, images, bytes, notFetched, items, notes, partial } = preview
  print(
    `${counted(boxes, 'box', 'boxes')}; ${partial ? 'at least ' : ''}${counted(images, 'file')} to fetch, ${sizeText(bytes)}; ` +
      `${counted(notFetched, 'file')} known and not fetched`
  )
  for (const { tag, sentence, bytes } of items)
    print(printable(`  ${tag}: ${sentence}${bytes > 0 ? ` ${sizeText(bytes)}` : ''}`))
  for (const note of notes) print(printable(`  Note: ${note}`))
}

const describe = (rule: Mirror): string =>
  printable(
    `${rule.boxes} from ${rule.remoteName}, ${filesText(rule)}` +
      `, ${rule.everyMinutes === null ? 'only by hand' : `every ${intervalText(rule.everyMinutes)}`}` +
      (rule.removeGone ? ', removing what is gone there' : '')
  )

function filesText({ newest, prereleases, providers, architectures, largestBytes }: MirrorRule): string {
  const parts = [
    newest === null ? 'all versions' : newest === 0 ? 'no files' : `newest ${counted(newest, 'version')}`,
    ...(prereleases ? [] : ['no prereleases']),
    ...(providers.length > 0 ? [`for ${providers.join(' or ')}`] : []),
    ...(architectures.length > 0 ? [`on ${architectures.join(' or ')}`] : []),
    ...(largestBytes === null ? [] : [`up to ${sizeText(largestBytes)}`])
  ]
  return parts.join(', ')
}

const intervalText = (minutes: number): string =>
  minutes % 1440 === 0
    ? counted(minutes / 1440, 'day')
    : minutes % 60 === 0
      ? counted(minutes / 60, 'hour')
      : counted(minutes, 'minute')

/** The rule alone, without what is known of its runs. */
function ruleOf(mirror: Mirror): MirrorRule {
  const { remoteId, boxes, newest, prereleases, providers, architectures, largestBytes } = mirror
  const { removeGone, everyMinutes, enabled } = mirror
  return {
    ...{ remoteId, boxes, newest, prereleases, providers, architectures, largestBytes },
    ...{ removeGone, everyMinutes, enabled }
  }
}

function interval(text: string): number {
  if (text === 'never') return 0
  const ms = duration(text)
  if (ms >= minute && ms <= longestInterval) return ms
  throw new InvalidArgumentError('It must be from 1m to 7d, or "never".')
}

function ruleId(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('An id is a whole number, as `boxyard mirror list` shows it.')
}
