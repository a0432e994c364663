import type { Answer, Payload } from '../contract/desk.ts'
import type { About } from '../contract/settings.ts'
import type { ImageRef } from '../contract/words.ts'
import type { Lending } from '../blobs/lending.ts'
import type { Images } from '../catalog/images.ts'
import { operator } from '../domain/model.ts'
import { Problem } from '../domain/problem.ts'
import type { HandlersOf } from './handlers.ts'

/** What the program the interface runs in can do for it: a desktop shell much, a browser nothing. */
export interface Host {
  readonly face: About['face']
  readonly capabilities: About['capabilities']
  chooseFiles(what: Payload<'host.chooseFiles'>['what']): Promise<Answer<'host.chooseFiles'>>
  chooseSaveFile(suggested: string): Promise<string | null>
  revealFile(path: string): void
  /** Begins a drag of a file out of the window. */
  dragOut(path: string): void
  openExternal(url: string): Promise<void>
  quit(): void
}

/** Where the interface runs in a browser, which does for itself whatever it can. */
export const browserHost: Host = {
  face: 'browser',
  capabilities: { paths: false, fileManager: false, tray: false, loginItem: false },
  chooseFiles: () => desktopOnly(),
  chooseSaveFile: () => desktopOnly(),
  revealFile: () => desktopOnly(),
  dragOut: () => desktopOnly(),
  openExternal: () => desktopOnly(),
  quit: () => desktopOnly()
}

function desktopOnly(): never {
  throw new Problem('unavailable', 'Only the desktop window can do this.')
}

interface Needs {
  readonly host: Host
  readonly dataDir: string
  readonly images: Images
  readonly lending: Lending
}

export const hostHandlers = ({ host, dataDir, images, lending }: Needs): HandlersOf<'host'> => ({
  'host.chooseFiles': ({ what }) => host.chooseFiles(what),
  'host.chooseSaveFile': ({ suggested }) => host.chooseSaveFile(suggested),
  'host.revealDataFolder': () => host.revealFile(dataDir),
  'host.revealImage': async (image) => host.revealFile(await lending.find(bytesOf(images, image))),
  'host.dragOut': async (image) =>
    host.dragOut(await lending.lend(bytesOf(images, image), fileNameOf(image))),
  'host.openExternal': ({ url }) => host.openExternal(url),
  'host.quit': () => host.quit()
})

function bytesOf(images: Images, image: ImageRef): string {
  const { blob } = images.read(operator, image)
  if (blob === null)
    throw new Problem('missing', 'The bytes of this image are not on this disk, so there is no file of it.')
  return blob
}

const fileNameOf = ({ organization, box, version, provider, architecture }: ImageRef): string =>
  `${[organization, box, version, provider, architecture].join('-')}.box`
