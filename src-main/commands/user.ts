import { Argument, type Command } from 'commander'
import { dataCommand, print, readStdin, withApp, withExamples } from './command.ts'
import { shortTime, table } from './table.ts'

interface AddOptions {
  readonly data?: string
  readonly email?: string
  readonly passwordStdin?: boolean
}

interface ListOptions {
  readonly data?: string
  readonly json?: boolean
}

export function userCommands(program: Command): void {
  const user = program.command('user').description('add users, set their passwords and two-factor')

  withExamples(
    dataCommand(user, 'add', 'add a user')
      .argument('<name>', 'letters, digits, ".", "_" and "-"')
      .option('--email <address>', 'may be used in place of the name to sign in')
      .option('--password-stdin', 'read the password from standard input')
      .action(async (name: string, options: AddOptions) => {
        const password = options.passwordStdin ? await readStdin() : null
        await withApp(options, (app) => app.accounts.addUser(name, options.email ?? null, password))
        print(`User ${name} is added.`)
      }),
    'user add alice --email alice@example.org',
    'user add bob --password-stdin < password.txt'
  )

  withExamples(
    dataCommand(user, 'password', 'set the password a user signs in with; tokens stay valid')
      .argument('<name>', 'whose password it is')
      .requiredOption('--password-stdin', 'read the password from standard input')
      .action(async (name: string, options: { data?: string }) => {
        const password = await readStdin()
        await withApp(options, (app) => app.accounts.setPassword(name, password))
        print(`The password of ${name} is set.`)
      }),
    'user password alice --password-stdin < password.txt'
  )

  withExamples(
    dataCommand(user, 'two-factor', 'turn two-factor authentication on or off for a user')
      .argument('<name>', 'whose')
      .addArgument(
        new Argument('<state>', 'on prints the secret for an authenticator app').choices(['on', 'off'])
      )
      .action(async (name: string, state: string, options: { data?: string }) => {
        const setup = await withApp(options, (app) => app.accounts.setTwoFactor(name, state === 'on'))
        print(`Two-factor authentication is ${state} for ${name}.`)
        if (!setup) return
        print(`secret: ${setup.secret}`)
        print(`url: ${setup.url}`)
        print('Type the secret into an authenticator app, or show it the address as a QR code. They are not')
        print('shown again. Signing in with the password now needs a code from the app as well, or one that')
        print('`boxyard serve` shows in its log when it is asked for by text message. Tokens work as before.')
      }),
    'user two-factor alice on'
  )

  withExamples(
    dataCommand(user, 'list', 'list the users there are')
      .option('--json', 'print JSON')
      .action((options: ListOptions) =>
        withApp(options, (app) => {
          const memberships = app.accounts.memberships()
          const users = app.accounts.users().map((user) => ({
            name: user.name,
            email: user.email,
            hasPassword: user.hasPassword,
            hasTwoFactor: user.hasTwoFactor,
            createdAt: new Date(user.createdAt),
            organizations: Object.fromEntries(
              memberships.filter((m) => m.user === user.name).map((m) => [m.organization, m.role])
            )
          }))
          if (options.json) print(JSON.stringify(users))
          else
            print(
              table(
                ['NAME', 'E-MAIL', 'PASSWORD', 'TWO-FACTOR', 'CREATED', 'ORGANIZATIONS'],
                users.map((user) => [
                  user.name,
                  user.email ?? '',
                  user.hasPassword ? 'set' : 'none',
                  user.hasTwoFactor ? 'on' : 'off',
                  shortTime(user.createdAt.getTime()),
                  Object.entries(user.organizations)
                    .map(([organization, role]) => `${organization} (${role})`)
                    .join(', ')
                ])
              )
            )
        })
      ),
    'user list'
  )
}
