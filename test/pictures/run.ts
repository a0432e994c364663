/** `npm run pictures`: the pictures of the README, taken of the built product with a catalogue that looks lived in. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { writeBoxFile } from '../support/e2e/box-file.ts'
import { SecondRegistry } from '../support/e2e/second-registry.ts'
import { asRoot, runtimes } from '../support/e2e/runtimes.ts'
import { boxyard, serve } from '../support/product.ts'
import { makeCatalogue } from './catalogue.ts'

const target = resolve(import.meta.dirname, '../../resources/pictures')
const scratch = mkdtempSync(join(tmpdir(), 'boxyard-pictures-'))

interface Picture {
  readonly name: string
  readonly to: string
  readonly dark?: boolean
  /** What has to be seen before it is taken. */
  readonly ready: (page: Page) => Promise<unknown>
}

const shows = (text: string | RegExp) => (page: Page) => page.getByText(text).first().waitFor()

/** An area of the treemap has its name as a title. */
const draws = (name: string) => (page: Page) =>
  page.locator('svg title', { hasText: name }).first().waitFor({ state: 'attached' })

const pictures: readonly Picture[] = [
  { name: 'library', to: '/library', ready: shows('teaching/') },
  { name: 'box', to: '/box/acme/base', ready: shows('2.2.0-rc1') },
  { name: 'publish', to: '/publish', ready: shows(/Adds the image/) },
  { name: 'remotes', to: '/remotes/1', ready: shows('acme/windows-2025') },
  { name: 'storage', to: '/storage/acme', dark: true, ready: draws('build-agent') },
  { name: 'library-dark', to: '/library?q=lab', dark: true, ready: shows('attacker') }
]

try {
  const dataDir = join(scratch, 'data')
  mkdirSync(target, { recursive: true })
  await makeCatalogue(dataDir, scratch)
  const lab = await SecondRegistry.start()
  const env = { BOXYARD_TOKEN_LAB: lab.token, BOXYARD_KEYCHAIN_WAIT: '0' }
  await addRemotes(dataDir, lab, env)
  const served = await serve(dataDir, ['--ui'], env)
  const browser = await chromium.launch({
    executablePath: runtimes.chromium,
    args: [...asRoot, '--disable-gpu', '--disable-dev-shm-usage', '--force-color-profile=srgb']
  })
  try {
    for (const { name, to, dark = false, ready } of pictures) {
      const page = await browser.newPage({
        viewport: { width: 1280, height: 800 },
        colorScheme: dark ? 'dark' : 'light',
        reducedMotion: 'reduce'
      })
      await page.goto(String(served.ui))
      await page.getByRole('navigation', { name: 'Places' }).waitFor()
      if (name === 'publish') await addFiles(page)
      await page.evaluate((hash) => void (location.hash = hash), `#${to}`)
      await ready(page)
      await page.evaluate(() => document.fonts.ready)
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
      await page.screenshot({ path: join(target, `${name}.png`) })
      await page.close()
      console.log(`${name}.png`)
    }
  } finally {
    await browser.close()
    await served.stop()
    await lab.remove()
  }
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

/** A registry that has some of the boxes, some newer ones and some of its own, and a folder that has a few. */
async function addRemotes(dataDir: string, lab: SecondRegistry, env: Record<string, string>): Promise<void> {
  const run = (...args: string[]) => boxyard([...args, '--data', dataDir], { env })
  await lab.put({ box: 'build-agent', version: '3.4.0', organization: 'acme', size: 200_000 })
  await lab.put({ box: 'windows-2025', version: '2025.9.1', organization: 'acme', size: 300_000 })
  await lab.put({ box: 'jump-host', version: '1.2.0', organization: 'lab', size: 100_000 })
  await lab.cli(['org', 'add', 'teaching', '--owner', lab.owner])
  await run('remote', 'add', lab.url, '--name', 'Lab')
  await run('remote', 'add', mkdtempSync(join(scratch, 'stick-')), '--name', 'Stick')
  for (const box of ['acme/base', 'acme/build-agent', 'lab/router', 'teaching/intro-linux'])
    await run('publish', box, '--to', 'Lab')
  await run('publish', 'acme/base', '--to', 'Stick')
  await run('remote', 'test', 'Lab')
}

async function addFiles(page: Page): Promise<void> {
  const files = [
    writeBoxFile(scratch, { name: 'base-2.3.0.box', size: 9_000_000 }),
    writeBoxFile(scratch, { name: 'router-0.6.0.box', provider: 'libvirt', size: 4_000_000 })
  ]
  await page.evaluate(() => void (location.hash = '#/publish'))
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Browse…' }).click()
  await (await chooser).setFiles(files)
}
