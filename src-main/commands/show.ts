import type { Command } from 'commander'
import { counted } from '../contract/counted.ts'
import { sizeText } from '../contract/size-text.ts'
import { operator, type BoxWithVersions, type Image, type Version } from '../domain/model.ts'
import { Problem } from '../domain/problem.ts'
import { dataCommand, print, withApp, withExamples } from './command.ts'
import { printable, shortTime, table } from './table.ts'

interface ShowOptions {
  readonly data?: string
  readonly json?: boolean
}

export function showCommand(program: Command): void {
  withExamples(
    dataCommand(program, 'show', 'show a box with its versions and files')
      .argument('<org/box>', 'the box')
      .option('--json', 'print JSON')
      .action((tag: string, options: ShowOptions) =>
        withApp(options, ({ boxes }) => {
          const [organization = '', name = '', ...more] = tag.split('/')
          if (organization === '' || name === '' || more.length > 0)
            throw new Problem('invalid', `"${tag}" is no box; write it as organization/name.`)
          const box = read(() => boxes.read(operator, organization, name), tag)
          print(options.json ? JSON.stringify(asJson(box)) : asPage(box))
        })
      ),
    'show acme/base'
  )
}

/** The API's one sentence for what is missing says too little where nothing has to be hidden. */
function read(find: () => BoxWithVersions, tag: string): BoxWithVersions {
  try {
    return find()
  } catch (error) {
    if (error instanceof Problem && error.kind === 'missing')
      throw new Problem('missing', `There is no box ${tag}.`)
    throw error
  }
}

function asPage(box: BoxWithVersions): string {
  const { organization, name, shortDescription, description, currentVersion, versions } = box
  const facts = [
    box.private ? 'private' : 'public',
    currentVersion ? `current version ${currentVersion.number}` : noCurrentVersion(versions),
    counted(box.downloads, 'download'),
    `made ${shortTime(box.createdAt)}`,
    `changed ${shortTime(box.updatedAt)}`
  ]
  const paragraphs = [
    `${organization}/${name}\n${facts.join(', ')}`,
    printable(shortDescription),
    description.trimEnd().split(/\r?\n/).map(printable).join('\n'),
    versions.length === 0 ? 'It has no versions yet.' : versionTable(versions)
  ]
  return paragraphs.filter((paragraph) => paragraph !== '').join('\n\n')
}

/** Clients are not told of versions whose files are all at a remote. */
const noCurrentVersion = (versions: readonly Version[]): string =>
  versions.some(({ status }) => status === 'active')
    ? 'no released version with a file here'
    : 'no released version'

const versionTable = (versions: readonly Version[]): string =>
  table(
    ['VERSION', 'STATUS', 'PROVIDER', 'ARCHITECTURE', 'SIZE', 'CHECKSUM', 'FILE'],
    versions.flatMap(({ number, status, images }) =>
      images.length === 0
        ? [[number, status, 'none yet']]
        : images.map((image) => [number, status, ...imageCells(image)])
    )
  )

const imageCells = (image: Image): string[] => [
  image.provider,
  image.isDefault ? `${image.architecture} (default)` : image.architecture,
  image.size === null ? '' : sizeText(image.size),
  image.checksum === null ? '' : `${image.checksumType}:${image.checksum}`,
  image.url ?? placeOf(image)
]

const placeOf = ({ blob, known }: Image): string =>
  blob !== null ? 'here' : known ? 'at the remote' : 'not uploaded yet'

const time = (ms: number): string => new Date(ms).toISOString()

const asJson = (box: BoxWithVersions) => ({
  tag: `${box.organization}/${box.name}`,
  private: box.private,
  shortDescription: box.shortDescription,
  description: box.description,
  downloads: box.downloads,
  currentVersion: box.currentVersion?.number ?? null,
  createdAt: time(box.createdAt),
  updatedAt: time(box.updatedAt),
  versions: box.versions.map((version) => ({
    number: version.number,
    status: version.status,
    description: version.description,
    createdAt: time(version.createdAt),
    updatedAt: time(version.updatedAt),
    images: version.images.map((image) => ({
      provider: image.provider,
      architecture: image.architecture,
      default: image.isDefault,
      url: image.url,
      size: image.size,
      checksum: image.checksum,
      checksumType: image.checksumType,
      sha256: image.blob,
      atRemote: image.known !== null
    }))
  }))
})
