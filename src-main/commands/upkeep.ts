import { InvalidArgumentError, Option, type Command } from 'commander'
import { counted } from '../contract/counted.ts'
import type { App } from '../app.ts'
import { sizeText } from '../contract/size-text.ts'
import { operator } from '../domain/model.ts'
import { Problem } from '../domain/problem.ts'
import { dataCommand, duration, print, withApp, withExamples } from './command.ts'
import { showProgress } from './progress.ts'
import { unlessInterrupted } from './stop-signal.ts'
import { printable } from './table.ts'
import { namedBox } from './tag.ts'

interface Options {
  readonly data?: string
  readonly json?: boolean
}

const minute = 60_000
const usualGraceMs = 60 * minute

/** Commands that look after the data folder. All of them work while a server runs on it. */
export function upkeepCommands(program: Command): void {
  verifyCommand(program)
  gcCommand(program)
  backupCommand(program)
  restoreCommand(program)
  rebuildCommand(program)
  maintenanceCommand(program)
}

function verifyCommand(program: Command): void {
  const command = dataCommand(
    program,
    'verify',
    'read everything that is kept and tell what is damaged or missing'
  )
    .option('--box <org/box>', 'only the files of this box')
    .option('--json', 'print one JSON object')
    .action(async (options: Options & { box?: string }) => {
      await withApp(options, async ({ boxes, upkeep }) => {
        const progress = showProgress('verified')
        const boxId = options.box === undefined ? {} : { boxId: boxIdOf(boxes, options.box) }
        const report = await unlessInterrupted('what was looked at is noted', (signal) =>
          upkeep.verify({
            ...boxId,
            signal,
            onProgress: progress.show,
            onProblem: (sentence) => {
              progress.clear()
              if (!options.json) print(printable(sentence))
            }
          })
        ).finally(progress.clear)
        if (!report) return
        const { blobs, bytes, problems, sidecarsMended } = report
        if (options.json) print(JSON.stringify(report))
        else {
          if (sidecarsMended > 0)
            print(`${counted(sidecarsMended, 'sidecar')} did not match the catalogue; written anew.`)
          print(`${counted(blobs, 'file')}, ${sizeText(bytes)}, ${counted(problems.length, 'problem')}.`)
        }
        if (problems.length > 0)
          throw new Problem('invalid', `${counted(problems.length, 'problem')} found; see above.`)
      })
    })
  withExamples(command, 'verify', 'verify --box acme/base')
}

function gcCommand(program: Command): void {
  const command = dataCommand(program, 'gc', 'remove files that no image needs any more')
    .option('--dry-run', 'only tell what would be removed')
    .addOption(
      new Option(
        '--grace <time>',
        'leave alone what is younger than this, as 90s, 30m, 12h or 7d (default: 1h)'
      )
        .argParser(duration)
        .default(usualGraceMs, '1h')
    )
    .option('--json', 'print one JSON object')
    .action(async (options: Options & { dryRun?: boolean; grace: number }) => {
      await withApp(options, async ({ upkeep }) => {
        const dryRun = options.dryRun === true
        const verb = dryRun ? 'would remove' : 'removed'
        const report = await unlessInterrupted('what was removed until now is gone', (signal) =>
          upkeep.collectGarbage({
            graceMs: options.grace,
            ...{ dryRun, signal },
            onFound: (what, size) => {
              if (!options.json) print(`${verb} ${what}, ${sizeText(size)}`)
            }
          })
        )
        if (!report) return
        const { files, leftovers, trash, bytes, waiting } = report
        if (options.json) print(JSON.stringify({ ...report, dryRun }))
        else {
          print(
            `${verb} ${counted(files, 'unused file')} and ${counted(leftovers, 'upload leftover')}, ${sizeText(bytes)} in all` +
              (trash === 0 ? '' : `; ${counted(trash, 'deletion')} can then not be undone any more`)
          )
          if (waiting.files > 0)
            print(
              `${counted(waiting.files, 'younger one')}, ${sizeText(waiting.bytes)}, can be removed once the grace is over`
            )
        }
      })
    })
  withExamples(command, 'gc --dry-run', 'gc --grace 7d')
}

function backupCommand(program: Command): void {
  const command = dataCommand(
    program,
    'backup',
    'write everything into one file that another machine can restore'
  )
    .argument('<file>', 'where to write it; a plain tar')
    .option('--catalogue-only', "leave the images' bytes out")
    .option('--force', 'replace the file if it is there already')
    .option('--json', 'print one JSON object')
    .action(async (file: string, options: Options & { catalogueOnly?: boolean; force?: boolean }) => {
      await withApp(options, async ({ upkeep }) => {
        const progress = showProgress('backed up')
        const report = await unlessInterrupted('nothing is left of the file', (signal) =>
          upkeep.backUp({
            ...{ file, signal },
            catalogueOnly: options.catalogueOnly === true,
            force: options.force === true,
            onProgress: progress.show
          })
        ).finally(progress.clear)
        if (!report) return
        if (options.json) return print(JSON.stringify(report))
        print(`${report.file}: the catalogue and ${counted(report.blobs, 'file')}, ${sizeText(report.size)}`)
        if (report.left > 0)
          print(
            `${counted(report.left, 'file')} left out, because they are damaged or missing; see "boxyard verify".`
          )
      })
    })
    .addHelpText(
      'after',
      '\nThe key that seals two-factor secrets stays here: on another machine, turn two-factor off and on again for the' +
        '\naccounts that use it. Whoever has the file has everything else, so keep it as safe as the data folder.'
    )
  withExamples(command, 'backup /mnt/disk/boxyard.tar', 'backup --catalogue-only catalogue.tar')
}

function restoreCommand(program: Command): void {
  const command = dataCommand(
    program,
    'restore',
    'put a backup in the place of everything in the data folder'
  )
    .argument('<file>', 'what "boxyard backup" wrote')
    .option('--json', 'print one JSON object')
    .action(async (file: string, options: Options) => {
      await withApp(options, async ({ upkeep }) => {
        const progress = showProgress('restored')
        const report = await upkeep.restore(file, progress.show).finally(progress.clear)
        if (options.json) return print(JSON.stringify(report))
        print(
          `Restored the backup of ${report.manifest.createdAt}: the catalogue and ${counted(report.added, 'file')} ` +
            'that were not here.'
        )
        if (report.missing > 0)
          print(`${counted(report.missing, 'file')} are neither in it nor here: see "boxyard verify".`)
        print(`The catalogue as it was before is in ${report.safetyCopy}.`)
      })
    })
    .addHelpText(
      'after',
      '\nAccounts and tokens are those of the backup afterwards, settings stay those of this machine.' +
        '\nThe whole file is checked before anything changes.' +
        '\nFiles that only the old catalogue needs stay until "boxyard gc".'
    )
  withExamples(command, 'restore /mnt/disk/boxyard.tar')
}

function rebuildCommand(program: Command): void {
  const command = dataCommand(
    program,
    'rebuild',
    'add to the catalogue what is noted beside the files and missing there'
  )
    .option('--json', 'print one JSON object')
    .action(async (options: Options) => {
      await withApp(options, async ({ upkeep }) => {
        const report = await upkeep.rebuild((sentence) => {
          if (!options.json) print(printable(sentence))
        })
        if (options.json) return print(JSON.stringify(report))
        for (const sentence of report.skipped) print(printable(sentence))
        print(
          `Added ${counted(report.organizations, 'organization')}, ${counted(report.boxes, 'box', 'boxes')}, ` +
            `${counted(report.versions, 'version')} and ${counted(report.images, 'image')}.`
        )
      })
    })
    .addHelpText(
      'after',
      '\nNothing is removed, and nothing that is in the catalogue is taken back to an older state.'
    )
  withExamples(command, 'rebuild')
}

function maintenanceCommand(program: Command): void {
  const command = dataCommand(program, 'maintenance', 'have clients come back later (503), or not')
    .argument('<on|off>', 'whether maintenance is on', onOrOff)
    .action(async (on: boolean, options: Options) => {
      await withApp(options, ({ settings }) => settings.set('maintenance', on))
      print(`Maintenance is ${on ? 'on' : 'off'}.`)
    })
  withExamples(command, 'maintenance on', 'maintenance off')
}

function boxIdOf(boxes: App['boxes'], tag: string): number {
  const { organization, box } = namedBox(tag)
  return boxes.read(operator, organization, box).id
}

function onOrOff(text: string): boolean {
  if (text === 'on' || text === 'off') return text === 'on'
  throw new InvalidArgumentError('It must be "on" or "off".')
}
