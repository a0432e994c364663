import type { Added, Arrival } from '../../../src-main/contract/arrivals.ts'
import { ask, pathOf } from '../../api.ts'
import { refusalOf } from '../../app/live.svelte.ts'
import { remotes } from '../../app/remotes.svelte.ts'
import { go, route } from '../../app/router.svelte.ts'
import { attempt, toast } from '../../app/toasts.svelte.ts'
import { takeIn } from '../transfers/transfers.svelte.ts'
import { habits } from '../publish/habits.ts'
import { publishPath } from './path.ts'
import { presetOf, type Preset } from './preset.ts'
import { boxesOf, collect, hold, pathsOf, type Collected, type Refusal } from './collect.ts'
import { namedIn } from './judge.ts'
import { refusedDrops } from './refused.svelte.ts'
import { send } from './sending.svelte.ts'

export type { Preset }

/**
 * What is said of files unless somebody says otherwise: what they chose last, and, where files for one box are asked
 * for, that box.
 */
const usual = (): Preset => ({
  ...habits(),
  remotes: habits().remotes.filter((id) => remotes.find(id) !== undefined),
  ...(route.current.place === 'publish' && presetOf(route.current.query))
})

const mostPaths = 1000

/** Adds files and folders that were dropped, pasted or chosen, and shows them in Publish. */
export async function addFiles(files: FileList | DataTransfer, preset: Preset = {}): Promise<void> {
  // What was dropped can be looked into only now, before anything is waited for.
  const held = hold(files)
  if (!pathOf) return sendAll(await collect(held), preset)
  const { paths, refused } = pathsOf(held, pathOf)
  refusedDrops.add(refused)
  await addPaths(paths, preset)
}

/** Lets the person choose box files. */
export async function chooseFiles(preset: Preset = {}): Promise<void> {
  if (pathOf) return choosePaths('boxes', preset)
  const files = await choose({ folder: false })
  if (files) sendAll(await collect(hold(files)), preset)
}

/** Lets the person choose a folder, of which every box file is taken. */
export async function chooseFolder(preset: Preset = {}): Promise<void> {
  if (pathOf) return choosePaths('folder', preset)
  const files = await choose({ folder: true })
  if (files) sendAll(boxesOf(files), preset)
}

/** Adds what a text names: paths and addresses, one in a line. Answers whether there was any. */
export async function addText(text: string, preset: Preset = {}): Promise<boolean> {
  const { urls, paths, others } = namedIn(text.slice(0, 1_000_000))
  if (urls.length + paths.length === 0) return false
  if (paths.length > 0) await addPaths(paths, preset)
  if (urls.length > 0) await addUrls(urls, preset)
  refusedDrops.add(
    others.map((origin) => ({ origin, sentences: ['This is neither a path nor an address of the web.'] }))
  )
  return true
}

/** Adds files and folders of this machine. */
async function addPaths(paths: readonly string[], preset: Preset = {}): Promise<void> {
  await attempt(async () => {
    const some = paths.slice(0, mostPaths)
    show(
      some.length === 0
        ? { arrivals: [], refused: [] }
        : await ask('arrivals.addPaths', { paths: some, draft: { ...usual(), ...preset } })
    )
  })
}

async function addUrls(urls: readonly string[], preset: Preset): Promise<void> {
  const added: Arrival[] = []
  const refused: Refusal[] = []
  for (const url of urls.slice(0, mostPaths))
    try {
      added.push(await ask('arrivals.addUrl', { url, draft: { ...usual(), ...preset } }))
    } catch (error) {
      refused.push({ origin: url, sentences: refusalOf(error).sentences })
    }
  show({ arrivals: added, refused })
}

async function choosePaths(what: 'boxes' | 'folder', preset: Preset): Promise<void> {
  const paths = await attempt(() => ask('host.chooseFiles', { what }))
  if (paths && paths.length > 0) await addPaths(paths, preset)
}

/** The browser's own dialog; null when the person chose nothing. */
function choose({ folder }: { folder: boolean }): Promise<FileList | null> {
  const input = document.createElement('input')
  input.type = 'file'
  input.multiple = true
  if (folder) input.webkitdirectory = true
  else input.accept = '.box'
  return new Promise((resolve) => {
    input.addEventListener('change', () => resolve(input.files), { once: true })
    input.addEventListener('cancel', () => resolve(null), { once: true })
    input.click()
  })
}

function sendAll({ files, refused }: Collected, preset: Preset): void {
  const [first] = send(files, { ...usual(), ...preset })
  arrive(first, refused)
}

function show({ arrivals, refused }: Added): void {
  takeIn(arrivals)
  arrive(arrivals[0]?.id, refused)
}

function arrive(first: string | undefined, refused: readonly Refusal[]): void {
  refusedDrops.add(refused)
  if (first === undefined && refusedDrops.list.length === 0) {
    toast('info', 'There was nothing to add.')
    return
  }
  go(publishPath(first))
}
