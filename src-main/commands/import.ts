import type { Command } from 'commander'
import { sizeText } from '../contract/size-text.ts'
import type { Imported } from '../catalog/importer.ts'
import { Problem } from '../domain/problem.ts'
import { dataCommand, describeFailure, print, withApp, withExamples } from './command.ts'
import { showProgress } from './progress.ts'
import { printable } from './table.ts'

interface ImportCommandOptions {
  readonly data?: string
  readonly org?: string
  readonly name?: string
  readonly boxVersion?: string
  readonly provider?: string
  readonly architecture?: string
  readonly release?: boolean
  readonly public?: boolean
  readonly move?: boolean
  readonly json?: boolean
}

export function importCommand(program: Command): void {
  withExamples(
    dataCommand(program, 'import', 'take box files on this machine into the catalogue')
      .argument(
        '<file...>',
        'box files; what they say of themselves is the default for what is not given here'
      )
      .option('--org <org>', "the organization (default: the owner's)")
      .option('--name <name>', 'the name of the box (default: from the file name)')
      .option(
        '--box-version <number>',
        'the version (default: from a file name like base-1.2.0.box, else the next one of the box, else 1.0.0)'
      )
      .option('--provider <name>', 'the provider')
      .option('--architecture <name>', 'the architecture')
      .option('--release', 'release the version')
      .option('--public', 'a box that has to be made is for everybody (default: private, for members alone)')
      .option('--move', 'take the file over instead of copying it; it is gone from where it was')
      .option('--json', 'print one JSON object a file')
      .action(importFiles),
    'import base-1.2.0.box --release --public',
    'import /mnt/usb/base.box --move',
    'import build/*.box --org acme --name base --box-version 2.0.0'
  )
}

/** A file that cannot be imported does not keep the others from being. */
async function importFiles(files: readonly string[], options: ImportCommandOptions): Promise<void> {
  let failed = 0
  await withApp(options, async ({ importer }) => {
    for (const file of files) {
      const progress = showProgress(`${printable(file)}: read`)
      try {
        const imported = await importer
          .importFile(file, {
            ...options,
            organization: options.org,
            version: options.boxVersion,
            onProgress: (bytes) => progress.show(bytes, null)
          })
          .finally(progress.clear)
        print(options.json ? JSON.stringify({ file, ...imported }) : describe(imported))
      } catch (error) {
        if (files.length === 1) throw error
        failed += 1
        process.stderr.write(`boxyard: ${printable(file)}: ${describeFailure(error)}\n`)
      }
    }
  })
  if (failed > 0)
    throw new Problem('invalid', `${failed} of ${files.length} files could not be imported; see above.`)
}

function describe(imported: Imported): string {
  const { tag, version, provider, architecture, size, sha256, note } = imported
  const state = `${imported.private ? 'private' : 'public'}, ${imported.released ? 'released' : 'not released'}`
  const line = `${tag} ${version} ${provider} ${architecture}: ${sizeText(size)}, sha256 ${sha256}, ${state}`
  return printable(note === null ? line : `${line}; ${note}`)
}
