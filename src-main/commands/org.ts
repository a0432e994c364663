import { Argument, type Command } from 'commander'
import { roles, type Role } from '../domain/model.ts'
import { dataCommand, print, withApp, withExamples } from './command.ts'
import { shortTime, table } from './table.ts'

interface ListOptions {
  readonly data?: string
  readonly json?: boolean
}

export function orgCommands(program: Command): void {
  const org = program.command('org').description('add organizations and say who may do what in them')

  withExamples(
    dataCommand(org, 'add', 'add an organization')
      .argument('<name>', 'what its boxes are found under')
      .requiredOption('--owner <user>', 'who becomes its admin')
      .action(async (name: string, options: { data?: string; owner: string }) => {
        await withApp(options, (app) => app.accounts.addOrganization(name, options.owner))
        print(`Organization ${name} is added; ${options.owner} is its admin.`)
      }),
    'org add acme --owner alice'
  )

  withExamples(
    dataCommand(
      org,
      'member',
      'let a user into an organization, change what they may do there, or put them out'
    )
      .argument('<org>', 'the organization')
      .argument('<user>', 'the user')
      .addArgument(
        new Argument(
          '<role>',
          'a viewer sees private boxes; a contributor also changes boxes; an admin also deletes them; none takes the user out'
        ).choices([...roles, 'none'])
      )
      .action(async (name: string, user: string, role: Role | 'none', options: { data?: string }) => {
        await withApp(options, (app) => app.accounts.setMember(name, user, role))
        print(role === 'none' ? `${user} is no member of ${name}.` : `${user} is ${role} of ${name}.`)
      }),
    'org member acme bob contributor',
    'org member acme bob none'
  )

  withExamples(
    dataCommand(org, 'list', 'list the organizations there are')
      .option('--json', 'print JSON')
      .action((options: ListOptions) =>
        withApp(options, (app) => {
          const memberships = app.accounts.memberships()
          const organizations = app.accounts.organizations().map(({ name, ownerName, createdAt }) => ({
            name,
            owner: ownerName,
            createdAt: new Date(createdAt),
            members: Object.fromEntries(
              memberships.filter((m) => m.organization === name).map((m) => [m.user, m.role])
            )
          }))
          if (options.json) print(JSON.stringify(organizations))
          else
            print(
              table(
                ['NAME', 'OWNER', 'CREATED', 'MEMBERS'],
                organizations.map(({ name, owner, createdAt, members }) => [
                  name,
                  owner ?? '',
                  shortTime(createdAt.getTime()),
                  Object.entries(members)
                    .map(([user, role]) => `${user} (${role})`)
                    .join(', ')
                ])
              )
            )
        })
      ),
    'org list'
  )
}
