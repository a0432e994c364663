import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { BoxDetails } from '../../src-main/contract/boxes.ts'
import { expect, test, type TestApp } from './fixtures.ts'

const ref = { organization: 'acme', box: 'base' }

/** acme/base with a version for each number, each with a file for virtualbox on amd64; the last one stays unreleased. */
async function makeBox(app: TestApp, numbers: readonly string[]): Promise<void> {
  const { owner } = await app.ask('about', {})
  await app.ask('access.addOrganization', { name: ref.organization, owner })
  for (const number of numbers) {
    const file = app.boxFile({ name: `base-${number}.box` })
    const release = number === numbers.at(-1) ? [] : ['--release']
    await app.cli(['import', file, '--org', 'acme', '--name', 'base', '--box-version', number, ...release])
  }
}

const open = async (page: Page, path = '/box/acme/base'): Promise<void> => {
  await page.evaluate((to) => void (location.hash = to), path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}

const read = (app: TestApp): Promise<BoxDetails> => app.ask('box.read', ref)

const detail = (page: Page, number: string): ReturnType<Page['getByRole']> =>
  page.getByRole('article', { name: number })

test('releases a version after saying what that means', async ({ app, page }) => {
  await makeBox(app, ['1.0.0', '1.1.0'])
  await open(page)
  await page.getByRole('option', { name: /^1\.1\.0/ }).click()
  await detail(page, '1.1.0').getByRole('button', { name: 'Release', exact: true }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('It becomes the current version.')
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await question.getByRole('button', { name: 'Release 1.1.0' }).click()
  await expect(detail(page, '1.1.0')).toContainText('The current version')
  expect((await read(app)).currentVersion).toBe('1.1.0')
})

test('says what a version lacks to be released, and lets it be once that is there', async ({ app, page }) => {
  await makeBox(app, ['1.0.0', '1.1.0'])
  await app.ask('version.create', { ...ref, version: '2.0.0' })
  await open(page, '/box/acme/base?version=2.0.0')
  const release = detail(page, '2.0.0').getByRole('button', { name: 'Release', exact: true })
  await expect(release).toBeDisabled()
  await expect(detail(page, '2.0.0')).toContainText('It can be released once it has a box file')
  const image = { ...ref, version: '2.0.0', provider: 'virtualbox', architecture: 'amd64' }
  await app.ask('image.create', { ...image, changes: { url: 'https://mirror.example/base.box' } })
  await expect(release).toBeEnabled()
})

test('says in place why a version could not be released', async ({ app, page }) => {
  await makeBox(app, ['1.0.0', '1.1.0'])
  await open(page, '/box/acme/base?version=1.1.0')
  const version = detail(page, '1.1.0')
  await version.getByRole('button', { name: 'Release', exact: true }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await app.ask('image.remove', { ...ref, version: '1.1.0', provider: 'virtualbox', architecture: 'amd64' })
  await page.getByRole('alertdialog').getByRole('button', { name: 'Release 1.1.0' }).click()
  await expect(version.getByRole('alert')).toContainText('cannot be released before')
})

test('what is only there to be heard does not let the window scroll', async ({ app, page }) => {
  await makeBox(app, ['1.0.0', '1.1.0'])
  await open(page)
  const beyond = () => page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight)
  await expect(page.getByRole('table', { name: 'Downloads' })).toBeAttached()
  expect(await beyond()).toBe(0)
})

test('revokes a version and says which one is current then', async ({ app, page }) => {
  await makeBox(app, ['1.0.0', '1.1.0', '1.2.0'])
  await open(page)
  await detail(page, '1.1.0').getByRole('button', { name: 'Revoke' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('1.0.0 becomes the current version.')
  await page.getByRole('button', { name: 'Revoke 1.1.0' }).click()
  await expect(page.getByRole('option', { name: /^1\.1\.0.*Revoked/ })).toBeVisible()
  // The button is gone; the keyboard goes on beside it.
  await expect(page.getByRole('heading', { level: 2, name: '1.1.0' })).toBeFocused()
  expect((await read(app)).currentVersion).toBe('1.0.0')
})

test('adds an image at an address, and makes it the default of its provider', async ({ app, page }) => {
  await makeBox(app, ['1.0.0', '1.1.0'])
  await open(page, '/box/acme/base?version=1.1.0')
  const version = detail(page, '1.1.0')
  await version.getByRole('button', { name: 'Add image' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: 'Address' }).click()
  await dialog.getByLabel('Provider', { exact: true }).fill('virtualbox')
  await dialog.getByLabel('Architecture').fill('arm64')
  await dialog.getByLabel('Address of the file').fill('ftp://mirror.example/base.box')
  await dialog.getByRole('button', { name: 'Add image' }).click()
  await expect(dialog.getByRole('alert')).toContainText('http:// or https://')
  await dialog.getByLabel('Address of the file').fill('https://mirror.example/base.box')
  await dialog.getByRole('button', { name: 'Add image' }).click()
  await expect(dialog).toBeHidden()
  await expect(version.getByText('External')).toBeVisible()

  await version.getByRole('button', { name: 'More actions for virtualbox on arm64' }).click()
  await page.getByRole('menuitem', { name: 'Make default for virtualbox' }).click()
  await expect
    .poll(async () => (await read(app)).versions[0]?.images.find(({ isDefault }) => isDefault)?.architecture)
    .toBe('arm64')
})

test('sends clients of an image elsewhere', async ({ app, page }) => {
  await makeBox(app, ['1.0.0', '1.1.0'])
  await open(page, '/box/acme/base?version=1.1.0')
  await page.getByRole('button', { name: 'More actions for virtualbox on amd64' }).click()
  await page.getByRole('menuitem', { name: 'Edit image…' }).click()
  await page.getByRole('checkbox', { name: 'The file lies at another address' }).click()
  await expect(page.getByText('is not used by this image any more')).toBeVisible()
  await page.getByLabel('Address of the file').fill('https://mirror.example/base.box')
  await page.getByRole('button', { name: 'Save image' }).click()
  await expect(detail(page, '1.1.0').getByText('External')).toBeVisible()
  expect((await read(app)).versions[0]?.images[0]).toMatchObject({
    state: 'external',
    url: 'https://mirror.example/base.box'
  })
})

test('reads the bytes of an image again, and tells when they are damaged', async ({ app, page }) => {
  await makeBox(app, ['1.0.0', '1.1.0'])
  await open(page, '/box/acme/base?version=1.1.0')
  await page.getByRole('button', { name: 'Verify virtualbox on amd64' }).click()
  await expect(page.getByText('Every byte is as it was stored.')).toBeVisible()
  await expect(page.getByText('verified just now')).toBeVisible()

  const sha256 = (await read(app)).versions[0]?.images[0]?.checksum ?? ''
  const file = join(app.dataDir, 'blobs', 'sha256', sha256.slice(0, 2), sha256)
  await chmod(file, 0o600)
  await writeFile(file, 'something else')
  await page.getByRole('button', { name: 'Verify virtualbox on amd64' }).click()
  await expect(detail(page, '1.1.0').getByText('Damaged')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Replace file' })).toBeVisible()
})

test.describe('the description', () => {
  test('is previewed while it is written, and saved by Ctrl+Enter', async ({ app, page }) => {
    await makeBox(app, ['1.0.0', '1.1.0'])
    await open(page)
    await page.getByRole('button', { name: 'Write description' }).click()
    const text = page.getByRole('textbox', { name: 'Markdown' })
    await text.fill('# Ours\n\n<script>alert(1)</script> ')
    await page.getByRole('button', { name: 'Bold' }).click()
    await page.keyboard.type('loud')
    const preview = page.getByRole('region', { name: 'Preview' })
    await expect(preview.getByRole('heading', { name: 'Ours' })).toBeVisible()
    await expect(preview.locator('strong')).toHaveText('loud')
    await expect(preview).toContainText('<script>alert(1)</script>')
    await text.press('Control+Enter')
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(page.getByRole('region', { name: 'Description' }).getByText('loud')).toBeVisible()
    expect((await read(app)).description).toBe('# Ours\n\n<script>alert(1)</script> **loud**')
  })

  test('is not lost by Escape', async ({ app, page }) => {
    await makeBox(app, ['1.0.0', '1.1.0'])
    await open(page)
    await page.getByRole('button', { name: 'Write description' }).click()
    const text = page.getByRole('textbox', { name: 'Markdown' })
    await text.fill('A long thought')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('alertdialog', { name: 'Discard what you wrote?' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('alertdialog')).toBeHidden()
    await expect(text).toHaveValue('A long thought')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await expect(page.getByRole('dialog')).toBeHidden()
    expect((await read(app)).description).toBe('')
  })

  test('is still there after the page was left without saving', async ({ app, page }) => {
    await makeBox(app, ['1.0.0', '1.1.0'])
    await open(page)
    await page.getByRole('button', { name: 'Write description' }).click()
    await page.getByRole('textbox', { name: 'Markdown' }).fill('A long thought')
    await open(page, '/settings')
    await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
    await open(page)
    await page.getByRole('button', { name: 'Write description' }).click()
    await expect(page.getByRole('textbox', { name: 'Markdown' })).toHaveValue('A long thought')
    await expect(page.getByText('This was written before and not saved.')).toBeVisible()
  })
})

test('deletes a version and has it back', async ({ app, page }) => {
  await makeBox(app, ['1.0.0', '1.1.0'])
  await open(page)
  await page.getByRole('listbox', { name: 'Versions' }).focus()
  await page.keyboard.press('Home')
  await expect(detail(page, '1.1.0')).toBeVisible()
  await page.keyboard.press('Delete')
  await page.getByRole('button', { name: 'Delete 1.1.0' }).click()
  await expect(page.getByRole('option')).toHaveCount(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('option')).toHaveCount(2)
  expect((await read(app)).versions[0]?.images).toHaveLength(1)
})

test('deletes an image and has it back', async ({ app, page }) => {
  await makeBox(app, ['1.0.0', '1.1.0'])
  await open(page, '/box/acme/base?version=1.1.0')
  await page.getByRole('button', { name: 'More actions for virtualbox on amd64' }).click()
  await page.getByRole('menuitem', { name: 'Delete image' }).click()
  await expect(page.getByText('This version has no images yet.')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(detail(page, '1.1.0').getByText('Here')).toBeVisible()
})

test('deletes the box, naming what goes with it, and has it back', async ({ app, page }) => {
  await makeBox(app, ['1.0.0', '1.1.0'])
  await open(page)
  await page.getByRole('button', { name: 'More actions for the box' }).click()
  await page.getByRole('menuitem', { name: 'Delete box' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('2 versions with 2 images')
  await page.getByRole('button', { name: 'Delete acme/base' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'acme/base' })).toBeVisible()
  await expect(page.getByRole('option')).toHaveCount(2)
})

test('makes a version like another one', async ({ app, page }) => {
  await makeBox(app, ['1.0.0', '1.1.0'])
  await open(page)
  await page.getByRole('option', { name: /^1\.0\.0/ }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'New version like this…' }).click()
  await expect(page.getByLabel('Version number')).toHaveValue('1.1.1')
  await page.getByRole('button', { name: 'Make version' }).click()
  await expect(detail(page, '1.1.1').getByText('No file yet')).toBeVisible()
})

test('adds a file, with what is known of it filled in', async ({ app, page }) => {
  await makeBox(app, ['1.0.0', '1.1.0'])
  await open(page, '/box/acme/base?version=1.1.0')
  const file = app.boxFile({ name: 'anything.box', provider: 'libvirt', architecture: 'arm64' })
  await page.getByRole('button', { name: 'Add image' }).click()
  await app.choose([file], () => page.getByRole('button', { name: 'Choose file' }).click())
  await expect
    .poll(async () => (await app.ask('transfers', {})).arrivals.map(({ draft }) => draft))
    .toMatchObject([
      { organization: 'acme', name: 'base', version: '1.1.0', provider: 'libvirt', architecture: 'arm64' }
    ])
})

test('shows at once what a client changes over HTTP', async ({ app, page }) => {
  await makeBox(app, ['1.0.0', '1.1.0'])
  await open(page)
  const token = (
    await app.ask('access.issueToken', { user: (await app.ask('about', {})).owner, description: 'e2e' })
  ).token
  const response = await fetch(`${app.registryUrl}/api/v2/box/acme/base/version/1.1.0/release`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}` }
  })
  expect(response.ok).toBe(true)
  await expect(page.getByRole('option', { name: /^1\.1\.0.*current.*Released/ })).toBeVisible()
})

test('follows a box that is renamed, here or by somebody else', async ({ app, page }) => {
  await makeBox(app, ['1.0.0', '1.1.0'])
  await open(page)
  await page.getByRole('button', { name: 'More actions for the box' }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await page.getByLabel('Name', { exact: true }).fill('golden')
  await page.getByRole('button', { name: 'Rename' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'acme/golden' })).toBeVisible()
  await app.ask('box.change', { organization: 'acme', box: 'golden', changes: { name: 'silver' } })
  await expect(page.getByRole('heading', { level: 1, name: 'acme/silver' })).toBeVisible()
})

test('says of a box that is not there that it is not, and leads back', async ({ page }) => {
  await open(page, '/box/acme/nowhere')
  await expect(page.getByText('There is no box acme/nowhere here')).toBeVisible()
  await page.getByRole('button', { name: 'Go to the library' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Library' })).toBeVisible()
})

test('asks before a box becomes public', async ({ app, page }) => {
  await makeBox(app, ['1.0.0', '1.1.0'])
  await open(page)
  await page.getByRole('button', { name: 'Private (make it public)' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('without a token')
  await page.getByRole('button', { name: 'Make public' }).click()
  await expect(page.getByRole('button', { name: 'Public (make it private)' })).toBeVisible()
  expect((await read(app)).private).toBe(false)
})

test('stays quick and bounded with hundreds of versions', async ({ app, page }) => {
  await makeBox(app, ['1.0.0'])
  for (let i = 0; i < 300; i++) await app.ask('version.create', { ...ref, version: `2.${i}` })
  await open(page)
  await expect(page.getByRole('heading', { name: '301 versions' })).toBeVisible()
  expect(await page.getByRole('option').count()).toBeLessThan(40)
  await page.getByRole('slider', { name: 'By date made' }).press('Home')
  await expect(page.getByRole('option', { name: /^1\.0\.0/, selected: true })).toBeInViewport()
})

test.describe('on a narrow window', () => {
  test('a version takes the page, and leads back to the list', async ({ app, page }) => {
    await page.setViewportSize({ width: 900, height: 600 })
    await makeBox(app, ['1.0.0', '1.1.0'])
    await open(page)
    await expect(detail(page, '1.0.0')).toBeHidden()
    await page.getByRole('listbox', { name: 'Versions' }).press('Home')
    await expect(detail(page, '1.1.0')).toBeHidden()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 2, name: '1.1.0' })).toBeFocused()
    // What somebody else changes moves nobody.
    const copy = detail(page, '1.1.0').getByRole('button', { name: 'Copy the number' })
    await copy.focus()
    await app.ask('version.change', {
      ...ref,
      version: '1.1.0',
      changes: { description: 'Changed elsewhere' }
    })
    await expect(detail(page, '1.1.0')).toContainText('Changed elsewhere')
    await expect(copy).toBeFocused()
    await page.getByRole('button', { name: 'All versions' }).click()
    await expect(page.getByRole('listbox', { name: 'Versions' })).toBeFocused()
  })
})

test('offers what only a desktop can do there alone', async ({ app, page }) => {
  await makeBox(app, ['1.0.0', '1.1.0'])
  await open(page)
  await page.getByRole('button', { name: 'More actions for virtualbox on amd64' }).click()
  await expect(page.getByRole('menuitem', { name: 'Delete image' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Show in file manager' })).toHaveCount(
    app.face === 'electron' ? 1 : 0
  )
})
