import { Command } from 'commander'

/** The whole command line. A usage error throws a CommanderError; anything else a command throws is its failure. */
export function createProgram(): Command {
  const program = new Command('boxyard')
    .description('A complete registry for virtual machine boxes, on this machine, with no network at all.')
    .exitOverride()
    .showHelpAfterError('(add --help to see how)')
  return program
}
