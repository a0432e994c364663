import { CommanderError, type Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { createProgram } from '../../../src-main/commands/program.ts'

/** The command line with its output caught. */
function caught() {
  const said = { out: '', err: '' }
  const listen = (command: Command): void => {
    command.configureOutput({
      writeOut: (text) => void (said.out += text),
      writeErr: (text) => void (said.err += text)
    })
    command.commands.forEach(listen)
  }
  const program = createProgram()
  listen(program)
  return { said, run: (...args: string[]) => program.parseAsync(args, { from: 'user' }) }
}

/** Every command a person can run, with the words that lead to it. */
const leaves = (command: Command, path: readonly string[] = []): string[][] =>
  command.commands.length === 0
    ? [[...path]]
    : command.commands.flatMap((sub) => leaves(sub, [...path, sub.name()]))

describe('the help of a command', () => {
  it.each(leaves(createProgram()).map((path) => [path.join(' '), path] as const))(
    'shows how to use it: %s',
    async (name, path) => {
      const { said, run } = caught()
      await expect(run(...path, '--help')).rejects.toMatchObject({ exitCode: 0 })
      expect(said.err).toBe('')
      expect(said.out).toContain('--data <dir>')
      expect(said.out).toMatch(new RegExp(`Examples?:\\n  \\$ boxyard ${name}`))
    }
  )
})

describe('the help of a command that may be given something several times', () => {
  it.each([['mirror', 'add']])('has no word for none of it: %s %s', async (...path) => {
    const { said, run } = caught()
    await expect(run(...path, '--help')).rejects.toMatchObject({ exitCode: 0 })
    expect(said.out).not.toContain('[]')
  })
})

describe('the help of transfers', () => {
  it('shows its options, which are those of its list', async () => {
    const { said, run } = caught()
    await expect(run('transfers', '--help')).rejects.toMatchObject({ exitCode: 0 })
    expect(said.out).toContain('--watch')
    expect(said.out).toContain('$ boxyard transfers --watch')
  })
})

describe('a command line nobody can carry out', () => {
  it.each([
    [['nonsense'], "unknown command 'nonsense'"],
    [['token', 'nonsense'], "unknown command 'nonsense'"],
    [['token', 'create', '--nonsense'], "unknown option '--nonsense'"],
    [['token', 'create', 'too many'], 'too many arguments'],
    [['token', 'revoke'], "missing required argument 'id'"],
    [['token', 'revoke', 'x'], 'An id is a whole number'],
    [['token', 'revoke', '1; DROP TABLE tokens'], 'An id is a whole number'],
    [['user', 'add'], "missing required argument 'name'"],
    [['user', 'password', 'alice'], "required option '--password-stdin'"],
    [['user', 'two-factor', 'alice', 'maybe'], 'Allowed choices are on, off'],
    [['org', 'add', 'acme'], "required option '--owner <user>'"],
    [['org', 'member', 'acme', 'bob', 'king'], 'Allowed choices are viewer, contributor, admin, none']
  ])('is refused before anything is opened: %j', async (args, why) => {
    const { said, run } = caught()
    await expect(run(...args)).rejects.toBeInstanceOf(CommanderError)
    expect(said.out).toBe('')
    expect(said.err).toContain(why)
  })
})
