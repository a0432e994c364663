import { mkdirSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Locator, Page } from '@playwright/test'
import type { Remote } from '../../src-main/contract/remotes.ts'
import { SecondRegistry } from '../support/e2e/second-registry.ts'
import { expect, test as base, type TestApp } from './fixtures.ts'

const test = base.extend<{ readonly lab: SecondRegistry }>({
  lab: async ({ face: _ }, use) => {
    const lab = await SecondRegistry.start()
    await use(lab)
    await lab.remove()
  }
})

const to = (page: Page, path: string): Promise<void> =>
  page.evaluate((hash) => void (location.hash = hash), `#${path}`)

const addLab = (app: TestApp, { url, token }: SecondRegistry, name = 'Lab'): Promise<Remote> =>
  app.ask('remotes.add', { location: url, token, name, checkMinutes: null })

const ownerOf = async (app: TestApp): Promise<string> => (await app.ask('about', {})).owner

const statesOfTransfers = async (app: TestApp): Promise<string[]> =>
  (await app.ask('transfers', {})).remoteTransfers.map(({ state }) => state)

/** A box here, as large as files need to be and no larger. */
async function put(app: TestApp, box: string, version: string, size = 0): Promise<void> {
  const file = app.boxFile({ name: `${box}-${version}.box`, size })
  await app.cli(['import', file, '--name', box, '--box-version', version, '--release'])
}

const row = (page: Page, box: string): Locator => page.getByRole('row').filter({ hasText: box })

async function nothingGrave(page: Page, where: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect
    .soft(
      grave.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`)),
      where
    )
    .toEqual([])
}

/** Every file of a folder, as text. */
const textOf = (folder: string): string =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'))
    .join('\n')

test('adds a remote by keyboard alone, after it was tested, and keeps what was typed', async ({
  app,
  page,
  lab
}) => {
  await page.keyboard.press('Control+4')
  await expect(page.getByText('No remotes yet')).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('add a remote')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Add a remote' })
  await expect(dialog.getByLabel('Address or folder')).toBeFocused()
  await page.keyboard.type(`${lab.url}/`)
  await dialog.getByLabel('Token').focus()
  await page.keyboard.type('boxyard_mistyped')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toContainText('token')
  await expect(dialog.getByLabel('Address or folder')).toHaveValue(`${lab.url}/`)
  await expect(dialog.getByLabel('Token')).toHaveValue('boxyard_mistyped')
  expect(await app.ask('remotes', {})).toEqual([])

  await dialog.getByLabel('Token').fill(lab.token)
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('It answers')).toBeVisible()
  await expect(dialog.locator('[data-finding]')).toContainText(lab.owner)
  await expect(dialog.locator('[data-finding]')).toContainText('API v2')
  await dialog.getByLabel('Name').fill('Lab')

  // Something else than what was tested is tested again.
  await dialog.getByLabel('Token').fill(`${lab.token}x`)
  await expect(dialog.getByRole('button', { name: 'Test' })).toBeVisible()
  await dialog.getByLabel('Token').fill(lab.token)
  await expect(dialog.getByLabel('Name')).toHaveValue('Lab')
  await dialog.getByRole('button', { name: 'Add Lab' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Lab' })).toBeVisible()
  await expect(page).toHaveURL(/#\/remotes\/\d+$/)

  const [remote] = await app.ask('remotes', {})
  expect(remote).toMatchObject({ name: 'Lab', location: lab.url, account: lab.owner })
  await expect(page.locator('body')).not.toContainText(lab.token)
  expect(textOf(app.dataDir)).not.toContain(lab.token)
  expect(app.log.join('\n')).not.toContain(lab.token)
})

test('keeps what was typed for a new remote while the window lives, but not the token', async ({ page }) => {
  await page.keyboard.press('Control+4')
  const open = (): Promise<void> => page.getByRole('button', { name: 'Add a remote' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a remote' })
  const address = dialog.getByLabel('Address or folder')
  await open()
  await page.keyboard.press('Escape')
  await open()
  await expect(dialog.getByText('This was typed before')).toBeHidden()
  await address.fill('https://boxes.example.test')
  await dialog.getByLabel('Token').fill('a-secret')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  await open()
  await expect(address).toHaveValue('https://boxes.example.test')
  await expect(dialog.getByLabel('Token')).toHaveValue('')
  await expect(dialog.getByText('This was typed before and not added.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Start over' }).click()
  await expect(address).toHaveValue('')
  await expect(dialog.getByText('This was typed before')).toBeHidden()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await open()
  await expect(address).toHaveValue('')
})

test('a click beside a dialog loses nothing that was typed', async ({ app, page }) => {
  const { owner } = await app.ask('about', {})
  await page.getByRole('button', { name: 'New box' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New box' })
  await page.mouse.click(5, 300)
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: 'New box' }).first().click()
  await dialog.getByLabel('Name').fill('typed')
  await page.mouse.click(5, 300)
  await expect(dialog.getByText(`${owner}/typed`)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})

test('says what an address without encryption means, and needs a yes to it', async ({ page }) => {
  await to(page, '/remotes?do=add')
  const dialog = page.getByRole('dialog', { name: 'Add a remote' })
  await dialog.getByLabel('Address or folder').fill('http://boxes.example.org')
  await expect(dialog.getByText('Whoever is on the way can read the token')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Test' })).toBeDisabled()
  await dialog.getByRole('checkbox', { name: 'Use it without encryption all the same' }).click()
  await expect(dialog.getByRole('button', { name: 'Test' })).toBeEnabled()
  await dialog.getByLabel('Address or folder').fill('http://127.0.0.1:1')
  await expect(dialog.getByText('Whoever is on the way')).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toBeVisible()
})

test('shows what is out of step, and brings it in step in both directions', async ({ app, page, lab }) => {
  const owner = await ownerOf(app)
  await put(app, 'mine', '1.0.0', 100_000)
  await lab.put({ box: 'theirs', version: '1.0.0', size: 100_000 })
  const { id } = await addLab(app, lab)
  await to(page, `/remotes/${id}`)
  await page.getByRole('button', { name: 'Check now' }).first().click()
  await expect(row(page, 'mine')).toContainText('Only here')
  await expect(row(page, 'theirs')).toContainText('Only there')
  await expect(page.getByRole('img', { name: /^2 boxes: 1 only here, 1 only there$/ })).toBeVisible()

  await page.getByRole('button', { name: 'Only there 1' }).click()
  await expect(row(page, 'mine')).toHaveCount(0)
  await page.getByRole('button', { name: 'Out of step 2' }).click()
  await page.keyboard.press('/')
  await page.keyboard.type('min')
  await expect(row(page, 'theirs')).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('grid')).toBeFocused()
  await page.keyboard.press('Enter')

  const plan = page.getByRole('dialog', { name: `Publish ${owner}/mine to Lab` })
  await expect(plan.locator('[data-step=create-box]')).toBeVisible()
  await expect(plan.locator('[data-step=put-bytes]')).toBeVisible()
  const release = plan.locator('[data-step=release]')
  await release.getByRole('checkbox').click()
  await expect(release).toHaveAttribute('data-left-out', '')
  await release.getByRole('checkbox').click()
  await expect(release).not.toHaveAttribute('data-left-out', '')
  await plan.getByRole('button', { name: /^Publish/ }).click()
  await expect(plan).toHaveCount(0)
  await expect
    .poll(async () => (await lab.get(`/api/v2/box/${owner}/mine`)).body, { timeout: 30_000 })
    .toMatchObject({ current_version: { version: '1.0.0' } })

  await page.getByRole('searchbox', { name: 'Search these boxes' }).fill('')
  await row(page, 'theirs').getByRole('button', { name: /^Pull/ }).click()
  const pull = page.getByRole('dialog', { name: `Pull ${lab.owner}/theirs from Lab` })
  await pull.getByRole('button', { name: /^Pull/ }).click()
  await expect.poll(() => statesOfTransfers(app), { timeout: 30_000 }).toEqual(['done', 'done'])
  const pulled = await app.ask('box.read', { organization: lab.owner, box: 'theirs' })
  expect(pulled.versions[0]?.images[0]?.state).toBe('here')
  await page.getByRole('button', { name: 'Check now' }).click()
  await expect(page.getByText('Everything is in step')).toBeVisible()
  await page.getByRole('button', { name: 'Show them' }).click()
  await expect(row(page, 'mine')).toContainText('In step')
})

test('asks where the same version has other bytes, and overwrites neither', async ({ app, page, lab }) => {
  const owner = await ownerOf(app)
  await put(app, 'base', '1.0.0')
  await lab.put({ box: 'base', version: '1.0.0' })
  const { id } = await addLab(app, lab)
  await app.ask('remotes.check', { id })
  await to(page, `/remotes/${id}`)
  await expect(row(page, 'base')).toContainText('Apart')
  await row(page, 'base')
    .getByRole('button', { name: /^Resolve/ })
    .click()
  const dialog = page.getByRole('dialog', { name: `Resolve ${owner}/base with Lab` })
  await expect(dialog.getByText('Choose what is to be done where both differ.')).toBeVisible()
  await expect(dialog.getByRole('button', { name: /^Publish( \d|$)/ })).toBeDisabled()
  await dialog.getByRole('radio', { name: /version of its own/ }).click()
  await dialog.getByRole('button', { name: /^Publish( \d|$)/ }).click()
  await expect(dialog).toHaveCount(0)
  await expect
    .poll(
      async () =>
        (
          (await lab.get(`/api/v2/box/${owner}/base`)).body as { versions: { version: string }[] }
        ).versions.map(({ version }) => version),
      { timeout: 30_000 }
    )
    .toEqual(['1.0.1', '1.0.0'])
})

test('mirrors boxes by a rule, read-only until they are forked, and fetches what is known', async ({
  app,
  page,
  lab
}) => {
  for (const version of ['1.0.0', '1.1.0', '2.0.0'])
    await lab.put({ box: 'base', version, size: 100_000, organization: 'acme' })
  const { id } = await addLab(app, lab)
  await to(page, `/remotes/${id}/mirrors`)
  await page.getByRole('button', { name: 'Add a mirror rule' }).click()
  const dialog = page.getByRole('dialog', { name: 'Mirror boxes of Lab' })
  await dialog.getByLabel('Boxes', { exact: true }).fill('acme/*')
  await dialog.getByLabel('Newest versions of each').fill('1')
  await expect(dialog.getByRole('list', { name: 'Boxes that are mirrored' })).toContainText('acme/base')
  await nothingGrave(page, 'the editor of a rule')
  await dialog.getByRole('button', { name: 'Add rule' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText('newest version, no prereleases')).toBeVisible()
  const run = page.getByRole('button', { name: 'Run now' })
  if (await run.isEnabled()) await run.click()
  const states = async (): Promise<string[] | undefined> =>
    (await app.ask('box.read', { organization: 'acme', box: 'base' }).catch(() => null))?.versions.map(
      ({ number, images }) => `${number} ${images[0]?.state}`
    )
  await expect.poll(states, { timeout: 30_000 }).toContain('2.0.0 here')

  await to(page, '/box/acme/base')
  await expect(page.getByRole('link', { name: 'Mirror of Lab · read-only' })).toBeVisible()
  for (const name of ['Add file', 'New version', 'Revoke', 'Write description'])
    await expect(page.getByRole('button', { name })).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Elsewhere' })).toContainText('Lab')
  await nothingGrave(page, 'a mirrored box')

  await to(page, '/library')
  await page.getByRole('button', { name: 'Origin' }).click()
  await page.getByRole('option', { name: 'Images only at a remote' }).click()
  await expect(page).toHaveURL(/origin=at-remote/)
  await expect(row(page, 'acme/base').getByRole('img', { name: 'Mirrored from a remote' })).toBeVisible()
  await page.getByRole('button', { name: /^Origin: / }).click()
  await page.getByRole('option', { name: 'Own' }).click()
  await expect(page.getByRole('heading', { name: 'No box is like that' })).toBeVisible()
  await to(page, '/box/acme/base')

  await page.getByRole('option', { name: /^1\.1\.0/ }).click()
  await page.getByRole('button', { name: /^Fetch/ }).click()
  await expect.poll(states, { timeout: 30_000 }).toContain('1.1.0 here')
  await expect(page.getByText('Here', { exact: true })).toBeVisible()

  await page.getByRole('button', { name: 'Fork…' }).click()
  const sure = page.getByRole('alertdialog')
  await expect(sure).toContainText('no longer follows Lab')
  await sure.getByRole('button', { name: 'Fork acme/base' }).click()
  await expect(page.getByRole('button', { name: 'Add file' })).toBeVisible()
})

test('says that a remote is gone, that another one answers in its place, and what to do', async ({
  app,
  page,
  lab
}) => {
  await put(app, 'mine', '1.0.0')
  const { id } = await addLab(app, lab)
  await app.ask('remotes.check', { id })
  await lab.stop()
  await to(page, `/remotes/${id}`)
  await page.getByRole('button', { name: 'Check now' }).click()
  const health = page.locator('[data-health]')
  await expect(health).toContainText('Unreachable')

  // Nothing keeps anybody from planning by what was seen, and from starting it.
  await row(page, 'mine')
    .getByRole('button', { name: /^Publish/ })
    .click()
  const plan = page.getByRole('dialog')
  await expect(plan.getByText(/As it was seen on|was never looked at/)).toBeVisible()
  await expect(plan.getByRole('button', { name: /^Publish( \d|$)/ })).toBeEnabled()
  await page.keyboard.press('Escape')
  await expect(plan).toHaveCount(0)

  // Something else at its address is not taken for it.
  const other = await SecondRegistry.start(lab.port)
  try {
    await page.getByRole('button', { name: 'Check now' }).click()
    await expect(health).toContainText('Refused')
    await expect(page.getByRole('link', { name: /^Remotes\s*, 1 remote needs you$/ })).toBeVisible()
    await nothingGrave(page, 'a token that is refused')
  } finally {
    await other.remove()
  }

  await page.getByRole('button', { name: 'More actions for Lab' }).click()
  await page.getByRole('menuitem', { name: 'Remove…' }).click()
  const sure = page.getByRole('alertdialog')
  await expect(sure).toContainText('Nothing is deleted at Lab')
  await expect(sure.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(sure).toHaveCount(0)
  expect(await app.ask('remotes', {})).toHaveLength(1)
  await page.getByRole('button', { name: 'More actions for Lab' }).click()
  await page.getByRole('menuitem', { name: 'Remove…' }).click()
  await sure.getByRole('button', { name: 'Remove Lab' }).click()
  await expect(page.getByText('No remotes yet')).toBeVisible()
  expect(await app.ask('box.read', { organization: await ownerOf(app), box: 'mine' })).toBeTruthy()
})

test('does nothing with another registry in its place before it is accepted', async ({ app, page, lab }) => {
  const { id } = await app.ask('remotes.add', { location: lab.url, name: 'Lab', checkMinutes: null })
  await lab.stop()
  const other = await SecondRegistry.start(lab.port)
  try {
    await to(page, `/remotes/${id}`)
    await page.getByRole('button', { name: 'Check now' }).first().click()
    const health = page.locator('[data-health]')
    await expect(health).toContainText('Another registry')
    await nothingGrave(page, 'another registry')
    await health.getByRole('button', { name: 'Accept…' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Accept it' }).click()
    await page.getByRole('button', { name: 'Check now' }).first().click()
    await expect(health).toContainText('Answers')
  } finally {
    await other.remove()
  }
})

test('publishes into a folder, and deletes there only what is asked for', async ({ app, page }) => {
  const owner = await ownerOf(app)
  await put(app, 'mine', '1.0.0', 100_000)
  const folder = join(app.folders.files, 'disk')
  mkdirSync(folder)
  await to(page, '/remotes?do=add')
  const dialog = page.getByRole('dialog', { name: 'Add a remote' })
  if (app.face === 'electron')
    await app.choose([folder], () => dialog.getByRole('button', { name: 'Browse…' }).click())
  else await dialog.getByLabel('Address or folder').fill(folder)
  await expect(dialog.getByLabel('Address or folder')).toHaveValue(folder)
  await expect(dialog.getByLabel('Token')).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Test' }).click()
  await expect(dialog.locator('[data-finding]')).toContainText('Folder')
  await dialog.getByLabel('Name').fill('Disk')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Disk' })).toBeVisible()

  await to(page, `/box/${owner}/mine`)
  await page.getByRole('button', { name: 'Publish to…' }).click()
  await page.getByRole('menuitem', { name: 'Disk' }).click()
  const plan = page.getByRole('dialog', { name: `Publish ${owner}/mine to Disk` })
  await expect(plan.locator('[data-step=put-bytes]')).toBeVisible()
  await nothingGrave(page, 'a plan')
  await plan.getByRole('button', { name: /^Publish( \d|$)/ }).click()
  const elsewhere = page.getByRole('region', { name: 'Elsewhere' })
  await expect(elsewhere).toContainText('In step', { timeout: 30_000 })

  await app.ask('box.remove', { organization: owner, box: 'mine' })
  await page.keyboard.press('Control+k')
  await page.keyboard.type('disk')
  await page.getByRole('option', { name: /^Disk/ }).click()
  await page.getByRole('button', { name: 'Check now' }).first().click()
  await expect(row(page, 'mine')).toContainText('Deleted here')
  await row(page, 'mine').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Delete there too…' }).click()
  const removal = page.getByRole('dialog', { name: `Delete ${owner}/mine at Disk too` })
  await expect(removal).toContainText('That cannot be undone from here.')
  await expect(removal.locator('[data-step=remove-box]')).toBeVisible()
  await expect(removal.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await removal.getByRole('button', { name: 'Delete there' }).click()
  await expect(removal).toHaveCount(0)
  await expect(row(page, 'mine')).toHaveCount(0, { timeout: 30_000 })
})

test('asks for a token that is gone, and goes on with the new one', async ({ app, lab }) => {
  const { id } = await addLab(app, lab)
  await app.restart()
  const { page } = app
  await to(page, `/remotes/${id}`)
  await expect(page.getByText('Its token cannot be had.')).toBeVisible()
  await page.getByRole('button', { name: 'Enter token…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Lab' })
  await expect(dialog.getByLabel('Token', { exact: true })).toBeFocused()
  await page.keyboard.type(lab.token)
  await dialog.getByLabel('Name').fill('Laboratory')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Laboratory is saved.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Laboratory' })).toBeVisible()
  await expect(page.getByText('Its token cannot be had.')).toHaveCount(0)
})

test('is a list and then a page where the window is narrow, and leaves out nothing', async ({
  app,
  page,
  lab
}) => {
  const { id } = await addLab(app, lab, `A lab with ${'a very long name '.repeat(3)}`.trim())
  await page.setViewportSize({ width: 900, height: 600 })
  for (const path of ['/remotes', `/remotes/${id}`, `/remotes/${id}/mirrors`, `/remotes/${id}/about`]) {
    await to(page, path)
    await expect(page.getByRole('heading', { level: 1, name: 'Remotes' })).toBeVisible()
    await nothingGrave(page, path)
    const wider = await page.evaluate(() =>
      [...document.querySelectorAll('main, main *')].some(
        (element) =>
          getComputedStyle(element).overflowX === 'auto' && element.scrollWidth > element.clientWidth + 1
      )
    )
    expect.soft(wider, `${path} stays within the window`).toBe(false)
  }
  await page.getByRole('button', { name: 'All remotes' }).click()
  await page.getByRole('link', { name: /^A lab with/ }).click()
  await expect(page.getByRole('tab', { name: /^Boxes/ })).toBeVisible()
  await to(page, '/remotes?do=add')
  await expect(page.getByRole('dialog')).toBeVisible()
  await nothingGrave(page, 'adding')
})
