import { Option, type Command } from 'commander'
import { Demo } from '../catalog/demo.ts'
import { dataCommand, print, wholeNumber, withApp, withExamples } from './command.ts'

interface DemoOptions {
  readonly data?: string
  readonly boxes: number
  readonly seed: number
  readonly json?: boolean
}

/** A line now and then is enough to see that it goes on. */
const tellEveryMs = 2000

export function demoCommand(program: Command): void {
  withExamples(
    dataCommand(program, 'demo', 'fill the data folder with invented boxes, to try things out')
      .addOption(
        new Option('--boxes <n>', 'how many').argParser(wholeNumber(1, 10_000_000)).makeOptionMandatory()
      )
      .addOption(
        new Option('--seed <n>', 'the same seed makes the same boxes')
          .argParser(wholeNumber(0, 4_294_967_295))
          .default(1)
      )
      .option('--json', 'print one JSON object')
      .action(({ boxes, seed, ...options }: DemoOptions) =>
        withApp(options, async ({ db }) => {
          let told = Date.now()
          const onProgress = (made: number): void => {
            if (made < boxes && Date.now() - told < tellEveryMs) return
            told = Date.now()
            process.stderr.write(`${made} of ${boxes} boxes\n`)
          }
          const made = await new Demo(db).create({ boxes, seed, onProgress })
          if (options.json) return print(JSON.stringify(made))
          print(
            `Made ${made.boxes} boxes (${made.privateBoxes} of them private) of ${made.organizations} organizations, ` +
              `with ${made.versions} versions and ${made.images} images.`
          )
          print('Their files are invented too and cannot be downloaded.')
        })
      ),
    'demo --boxes 1000 --data /tmp/demo'
  )
}
