import { InvalidArgumentError, type Command } from 'commander'
import type { App } from '../app.ts'
import { Problem } from '../domain/problem.ts'
import { dataCommand, print, withApp, withExamples } from './command.ts'
import { shortTime, table } from './table.ts'

interface CreateOptions {
  readonly data?: string
  readonly user?: string
  readonly description?: string
}

interface ListOptions {
  readonly data?: string
  readonly json?: boolean
}

export function tokenCommands(program: Command): void {
  const token = program.command('token').description('make, list and take back the tokens that clients use')

  withExamples(
    dataCommand(token, 'create', 'make a token and print it; it is shown this once')
      .option('--user <name>', 'whose token it is (default: the owner)')
      .option('--description <text>', 'what it is for')
      .action(async (options: CreateOptions) => {
        print(
          await withApp(
            options,
            (app) => app.tokens.issue(userIdFor(app, options.user), options.description).token
          )
        )
      }),
    'token create --description "build machine"',
    'token create --user alice > token.txt'
  )

  withExamples(
    dataCommand(token, 'list', 'list the tokens there are')
      .option('--json', 'print JSON')
      .action((options: ListOptions) =>
        withApp(options, (app) => {
          const tokens = app.tokens.list()
          if (options.json)
            print(
              JSON.stringify(
                tokens.map(({ createdAt, lastUsedAt, ...rest }) => ({
                  ...rest,
                  createdAt: new Date(createdAt),
                  lastUsedAt: lastUsedAt === null ? null : new Date(lastUsedAt)
                }))
              )
            )
          else
            print(
              table(
                ['ID', 'USER', 'DESCRIPTION', 'CREATED', 'LAST USED'],
                tokens.map(({ id, user, description, createdAt, lastUsedAt }) => [
                  String(id),
                  user,
                  description,
                  shortTime(createdAt),
                  lastUsedAt === null ? 'never' : shortTime(lastUsedAt)
                ])
              )
            )
        })
      ),
    'token list'
  )

  withExamples(
    dataCommand(token, 'revoke', 'take a token back: it is refused from now on')
      .argument('<id>', 'its id, as `boxyard token list` shows it', tokenId)
      .action((id: number, options: { data?: string }) =>
        withApp(options, (app) => {
          app.tokens.revoke(id)
          print(`Token ${id} is revoked.`)
        })
      ),
    'token revoke 3'
  )
}

function userIdFor(app: App, name: string | undefined): number {
  if (name === undefined) {
    const owner = app.accounts.owner()
    if (owner) return owner.id
    throw new Problem(
      'missing',
      'There is no owner yet, whom the token could be for.',
      'Run `boxyard serve` once, which makes one, or name a user with --user (`boxyard user add` makes one).'
    )
  }
  const user = app.accounts.findUser(name)
  if (!user) throw new Problem('missing', `There is no user "${name}".`)
  return user.id
}

function tokenId(text: string): number {
  const id = Number(text)
  if (!/^[0-9]+$/.test(text) || !Number.isSafeInteger(id))
    throw new InvalidArgumentError('An id is a whole number; `boxyard token list` shows them.')
  return id
}
