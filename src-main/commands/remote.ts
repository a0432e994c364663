import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { resolve } from 'node:path'
import { InvalidArgumentError, Option, type Command } from 'commander'
import type { App } from '../app.ts'
import type { NewRemote, Remote } from '../contract/remotes.ts'
import { Problem } from '../domain/problem.ts'
import { createLog } from '../log.ts'
import { dataCommand, print, readStdin, withApp, withExamples } from './command.ts'
import { printable, shortTime, table } from './table.ts'

interface Options {
  readonly data?: string
  readonly json?: boolean
}

interface HowToReach extends Options {
  readonly name?: string
  readonly tokenStdin?: boolean
  readonly tokenFile?: string
  readonly ca?: string
  readonly allowPlainHttp?: boolean
  readonly map?: Readonly<Record<string, string>>
}

interface ChangeOptions extends HowToReach {
  readonly location?: string
  readonly withoutToken?: boolean
  readonly acceptIdentity?: boolean
}

export function remoteCommands(program: Command): void {
  const remote = program
    .command('remote')
    .description('the registries and folders boxes are published to and mirrored from')

  const add = dataCommand(remote, 'add', 'try a registry or a folder, and add it when it answers').argument(
    '<location>',
    'the address of a registry (https://…), or a folder'
  )
  withExamples(
    reachOptions(add, 'what to call it (default: after its host or folder)').action(
      (location: string, options: HowToReach) =>
        withRemotes(options, async (app) => {
          const added = await app.remotes.add({ location: whole(location), ...(await howToReach(options)) })
          if (options.json) printJson(added)
          else print(`${sentenceOf(added)}\n${tokenSentence(added)}`)
        })
    ),
    'remote add https://registry.example --name Lab --token-file ~/lab-token',
    'pass show lab | boxyard remote add https://registry.example --token-stdin',
    'remote add https://lab.example --ca ./lab-ca.pem --map lab=acme home=house',
    'remote add /media/usb/boxes --name Stick'
  )

  withExamples(
    dataCommand(remote, 'list', 'list the remotes there are, how they do, and how boxes here stand to theirs')
      .option('--json', 'print JSON')
      .action((options: Options) =>
        withRemotes(options, async (app) => {
          await app.remotes.tokensFound()
          const all = await app.remotes.list()
          if (options.json) print(JSON.stringify(all.map(forJson)))
          else print(listed(all))
        })
      ),
    'remote list',
    'remote list --json'
  )

  withExamples(
    dataCommand(remote, 'test', 'ask a remote who it is, with its token; fails when it may not be used')
      .argument('<name>', 'its name, or its number as `boxyard remote list --json` shows it')
      .option('--json', 'print JSON')
      .action((name: string, options: Options) =>
        withRemotes(options, async (app) => {
          const { id } = await app.remotes.named(name)
          const opened = await app.connections.open(id, AbortSignal.timeout(testPatience))
          await opened.end.close()
          const found = await app.remotes.read(id)
          if (options.json) printJson(found)
          else print(`${found.name} answers${asWhom(found)}.`)
        })
      ),
    'remote test Lab'
  )

  const change = dataCommand(
    remote,
    'change',
    'change what is known of a remote; it is tried first where that matters'
  )
    .argument('<name>', 'its name or number')
    .option('--location <location>', 'where it is now')
    .option('--without-token', 'forget its token')
    .option(
      '--accept-identity',
      'go on with what answers there now, though it is another one; all that was agreed with it is forgotten'
    )
  withExamples(
    reachOptions(change, 'what to call it from now on').action((name: string, options: ChangeOptions) =>
      withRemotes(options, async (app) => printChanged(await changed(app, name, options), options))
    ),
    'remote change Lab --token-file ~/new-token',
    'remote change Lab --name Laboratory',
    'remote change Lab --accept-identity'
  )

  withExamples(
    dataCommand(remote, 'remove', 'forget a remote and its token; boxes mirrored from it stay as your own')
      .argument('<name>', 'its name or number')
      .option('--json', 'print JSON')
      .action((name: string, options: Options) =>
        withRemotes(options, async (app) => {
          const found = await app.remotes.named(name)
          const left = await app.remotes.remove(found.id)
          if (options.json) print(JSON.stringify({ ...forJson(found), tokenLeft: left }))
          else print([`Remote ${found.name} is removed.`, ...(left === null ? [] : [left])].join('\n'))
        })
      ),
    'remote remove Lab'
  )
}

const testPatience = 60_000

/** What a remote or a keychain had to say is in the result already. */
const withRemotes = <T>(options: Options, action: (app: App) => Promise<T>): Promise<T> =>
  withApp(options, action, { ...createLog(), info() {}, warn() {} })

/** Tokens never are arguments: everybody on a machine can read those. */
const reachOptions = (command: Command, aboutName: string): Command =>
  command
    .option('--name <name>', aboutName)
    .addOption(
      new Option('--token-stdin', 'read its token from standard input').conflicts([
        'tokenFile',
        'withoutToken'
      ])
    )
    .addOption(
      new Option('--token-file <file>', 'read its token from a file').conflicts([
        'tokenStdin',
        'withoutToken'
      ])
    )
    .option('--ca <file>', 'trust the certificates in this PEM file for it, besides those of the system')
    .option(
      '--allow-plain-http',
      'reach it by http though it is another machine: everybody between can read all'
    )
    .addOption(
      new Option(
        '--map <here=there...>',
        'organizations that are called otherwise there; all others have one name'
      ).argParser(mapping)
    )
    .option('--json', 'print JSON')

function mapping(text: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const [, here, there] = /^([^=]+)=([^=]+)$/.exec(text) ?? []
  if (here === undefined || there === undefined)
    throw new InvalidArgumentError('It must be the name here, "=", and the name there: lab=acme.')
  if (Object.hasOwn(before, here)) throw new InvalidArgumentError(`${here} is given two names.`)
  return { ...before, [here]: there }
}

/** A folder may be told from where the person is; whatever is no folder from there stays as it was given. */
const whole = (location: string): string => (existsSync(location) ? resolve(location) : location)

async function howToReach(options: HowToReach): Promise<Omit<NewRemote, 'location'>> {
  const token = options.tokenStdin
    ? await readStdin()
    : options.tokenFile === undefined
      ? undefined
      : readText(options.tokenFile, 'The token').trim()
  if (token === '') throw new Problem('invalid', 'The token is empty.')
  return {
    ...(options.name !== undefined && { name: options.name }),
    ...(token !== undefined && { token: token.trim() }),
    ...(options.ca !== undefined && { certificates: readText(options.ca, 'The certificates') }),
    ...(options.allowPlainHttp && { allowPlainHttp: true }),
    ...(options.map && { organizationMap: options.map })
  }
}

async function changed(app: App, name: string, options: ChangeOptions): Promise<Remote> {
  const { id } = await app.remotes.named(name)
  return app.remotes.change(id, {
    ...(await howToReach(options)),
    ...(options.withoutToken && { token: '' }),
    ...(options.location !== undefined && { location: whole(options.location) }),
    ...(options.acceptIdentity && { acceptIdentity: true })
  })
}

function printChanged(remote: Remote, { json, tokenFile, tokenStdin }: ChangeOptions): void {
  if (json) return printJson(remote)
  print(`Remote ${remote.name} is changed.`)
  if (tokenFile !== undefined || tokenStdin) print(tokenSentence(remote))
}

const longestFile = 1_000_000

function readText(file: string, what: string): string {
  const buffer = Buffer.alloc(longestFile + 1)
  let length: number
  try {
    const fd = openSync(file, 'r')
    try {
      length = readSync(fd, buffer)
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Problem('invalid', `${what} could not be read from ${file}: ${why}.`)
  }
  if (length > longestFile) throw new Problem('invalid', `${file} holds more than ${longestFile} bytes.`)
  return buffer.toString('utf8', 0, length)
}

const sentenceOf = (remote: Remote): string =>
  `Remote ${remote.name} is added: ${remote.location}${asWhom(remote)}.`

function asWhom({ api, account, organizations }: Remote): string {
  const parts = [
    api && `API ${api}`,
    account && `as ${account}`,
    organizations.length > 0 && `organizations ${organizations.slice(0, 10).join(', ')}`
  ].filter((part) => typeof part === 'string' && part !== '')
  return parts.length === 0 ? '' : printable(` (${parts.join('; ')})`)
}

function tokenSentence({ kind, token, tokenNote }: Remote): string {
  if (kind === 'folder') return 'A folder needs no token.'
  if (token === 'keychain') return 'Its token is in the keychain.'
  if (token === 'environment') return 'Its token comes from the environment.'
  if (token === 'none') return 'It has no token: what is public there can be read, and nothing published.'
  return `${tokenNote ?? ''} This command was that run: it has ended.`.trimStart()
}

const tokenWords: Readonly<Record<Remote['token'], string>> = {
  none: 'none',
  keychain: 'in the keychain',
  'this-run': 'for this run',
  environment: 'from the environment',
  lost: 'lost'
}

function listed(all: readonly Remote[]): string {
  const rows = all.map((remote) => [
    remote.name,
    remote.location,
    remote.api ?? remote.kind,
    remote.account ?? '',
    tokenWords[remote.token],
    remote.health,
    remote.checkedAt === null ? 'never' : shortTime(remote.checkedAt),
    Object.entries(remote.standings)
      .map(([standing, count]) => `${count} ${standing.replaceAll('-', ' ')}`)
      .join(', ')
  ])
  const notes = all.flatMap(({ name, healthNote, tokenNote }) => {
    // A remote that was not asked for want of its token says why in the same words.
    const isSaid = tokenNote !== null && healthNote?.includes(tokenNote)
    return [healthNote, isSaid ? null : tokenNote].flatMap((note) =>
      note === null ? [] : [printable(`${name}: ${note}`)]
    )
  })
  const headings = ['NAME', 'LOCATION', 'API', 'ACCOUNT', 'TOKEN', 'HEALTH', 'ASKED', 'BOXES']
  return [table(headings, rows), ...notes].join('\n')
}

const forJson = ({ createdAt, checkedAt, pausedUntil, ...rest }: Remote) => ({
  ...rest,
  checkedAt: dateOrNull(checkedAt),
  pausedUntil: dateOrNull(pausedUntil),
  createdAt: new Date(createdAt)
})

const dateOrNull = (ms: number | null): Date | null => (ms === null ? null : new Date(ms))

const printJson = (remote: Remote): void => print(JSON.stringify(forJson(remote)))
