#!/usr/bin/env node
import { createProgram } from './commands/program.ts'
import { describeFailure, hasPrinted, print } from './commands/command.ts'
import { CommanderError } from 'commander'

// The database's prebuilt add-on ends an older runtime without a word, so say it first.
if (Number(process.versions.napi) < 10) {
  process.stderr.write(`boxyard: Node ${process.versions.node} is too old; 22.14 or newer is needed.\n`)
  process.exit(1)
}

// Whoever reads the output has enough of it, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})

try {
  await createProgram().parseAsync()
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2
  else {
    const sentence = describeFailure(error)
    process.stderr.write(`boxyard: ${sentence}\n`)
    // A script that reads JSON is told in JSON. Of a server, it waits for the one line that says that it is ready.
    const [, , command, ...rest] = process.argv
    if (rest.includes('--json') && command !== 'serve' && !hasPrinted())
      print(JSON.stringify({ error: sentence }))
    process.exitCode = 1
  }
}
