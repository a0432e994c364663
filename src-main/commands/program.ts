import { Command } from 'commander'
import { demoCommand } from './demo.ts'
import { importCommand } from './import.ts'
import { mirrorCommands } from './mirror.ts'
import { orgCommands } from './org.ts'
import { publishCommand } from './publish.ts'
import { pullCommand } from './pull.ts'
import { remoteCommands } from './remote.ts'
import { searchCommand } from './search.ts'
import { serveCommand } from './serve.ts'
import { showCommand } from './show.ts'
import { tokenCommands } from './token.ts'
import { transfersCommands } from './transfers.ts'
import { upkeepCommands } from './upkeep.ts'
import { userCommands } from './user.ts'
import { programVersion } from '../version.ts'

/** The whole command line. A usage error throws a CommanderError; anything else a command throws is its failure. */
export function createProgram(): Command {
  const program = new Command('boxyard')
    .description('A complete registry for virtual machine boxes, on this machine, with no network at all.')
    .version(programVersion, '-V, --version', 'tell the version')
    .exitOverride()
    .showHelpAfterError('(add --help to see how)')
  serveCommand(program)
  tokenCommands(program)
  userCommands(program)
  orgCommands(program)
  upkeepCommands(program)
  importCommand(program)
  showCommand(program)
  searchCommand(program)
  publishCommand(program)
  pullCommand(program)
  mirrorCommands(program)
  transfersCommands(program)
  remoteCommands(program)
  demoCommand(program)
  return program
}
