import { Option, type Command } from 'commander'
import type { SearchQuery } from '../catalog/search.ts'
import { operator, type Box } from '../domain/model.ts'
import { dataCommand, print, wholeNumber, withApp, withExamples } from './command.ts'
import { table } from './table.ts'

interface SearchOptions extends Pick<SearchQuery, 'origin' | 'sort' | 'order' | 'limit' | 'page'> {
  readonly data?: string
  readonly provider?: string
  readonly architecture?: string
  readonly json?: boolean
}

export function searchCommand(program: Command): void {
  withExamples(
    dataCommand(program, 'search', 'find released boxes, private ones included')
      .argument(
        '[words...]',
        'each must begin a word of the organization, name or short description, or be part of one of the first two'
      )
      .option('--provider <provider>', 'only boxes for this provider')
      .option('--architecture <architecture>', 'only boxes for this architecture, of that provider')
      .addOption(
        new Option(
          '--origin <origin>',
          'only own boxes, only those mirrored from a remote, or of these only those with images whose files are at the remote alone'
        )
          .choices(['any', 'own', 'mirrored', 'at-remote'])
          .default('any')
      )
      .addOption(
        new Option('--sort <by>', 'what to sort by')
          .choices(['downloads', 'created', 'updated'])
          .default('downloads')
      )
      .addOption(new Option('--order <order>', 'which way to sort').choices(['desc', 'asc']).default('desc'))
      .addOption(new Option('--limit <n>', 'how many boxes').argParser(wholeNumber(1, 100)).default(10))
      .addOption(
        new Option('--page <n>', 'which page of them').argParser(wholeNumber(1, 1_000_000)).default(1)
      )
      .option('--json', 'print JSON')
      .action((words: string[], options: SearchOptions) =>
        withApp(options, async ({ search, boxes }) => {
          const { provider = null, architecture = null, origin, sort, order, limit, page } = options
          const query = { q: words.join(' '), provider, architecture, origin, sort, order, limit, page }
          const found = boxes.byIds(await search.find(operator, query))
          if (options.json) print(JSON.stringify(found.map(asJson)))
          else print(found.length === 0 ? 'No boxes found.' : asTable(found))
        })
      ),
    'search ubuntu docker --provider libvirt --architecture arm64',
    'search acme/ --sort updated',
    'search --origin mirrored'
  )
}

const asTable = (boxes: readonly Box[]): string =>
  table(
    ['BOX', 'VERSION', 'PROVIDERS', 'DOWNLOADS', 'DESCRIPTION'],
    boxes.map((box) => [
      `${box.organization}/${box.name}${box.private ? ' (private)' : ''}`,
      box.currentVersion?.number ?? '',
      [...new Set(box.currentVersion?.images.map((image) => image.provider))].join(', '),
      String(box.downloads),
      box.shortDescription
    ])
  )

const asJson = (box: Box) => ({
  tag: `${box.organization}/${box.name}`,
  private: box.private,
  shortDescription: box.shortDescription,
  downloads: box.downloads,
  currentVersion: box.currentVersion?.number ?? null,
  images: (box.currentVersion?.images ?? []).map(({ provider, architecture }) => ({
    provider,
    architecture
  })),
  createdAt: new Date(box.createdAt).toISOString(),
  updatedAt: new Date(box.updatedAt).toISOString()
})
