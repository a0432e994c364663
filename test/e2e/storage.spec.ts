import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, onlyOn, test, type TestApp } from './fixtures.ts'

const to = (page: Page, path: string): Promise<void> =>
  page.evaluate((hash) => void (location.hash = hash), `#${path}`)

/** Two organizations with a box each; the second is the larger one. */
async function fill(app: TestApp): Promise<void> {
  const { owner } = await app.ask('about', {})
  await app.ask('access.addOrganization', { name: 'lab', owner })
  await app.ask('access.addOrganization', { name: 'acme', owner })
  const file = (name: string, size: number): string => app.boxFile({ name, size })
  await app.cli([
    ...['import', file('small.box', 2_000_000), '--org', 'lab', '--name', 'small'],
    ...['--box-version', '1.0.0', '--release']
  ])
  for (const version of ['1.0.0', '2.0.0'])
    await app.cli([
      ...['import', file(`base-${version}.box`, 8_000_000), '--org', 'acme', '--name', 'base'],
      ...['--box-version', version, '--release']
    ])
}

test('shows what uses the disk, down to a version and back, by mouse and by keyboard', async ({
  app,
  page
}) => {
  await to(page, '/storage')
  await expect(page.getByText('Nothing is on this disk')).toBeVisible()
  await fill(app)
  const tile = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}, `) })
  await expect(tile('acme')).toBeVisible()
  await expect(tile('lab')).toHaveAccessibleName(/, 2\.0 MB, 11 %$/)

  await tile('acme').click()
  await expect(page.getByRole('heading', { name: 'acme' })).toBeVisible()
  await expect(tile('lab')).toHaveCount(0)
  await tile('base').focus()
  await page.keyboard.press('Enter')
  await expect(tile('2.0.0')).toBeVisible()
  await tile('1.0.0').focus()
  await page.keyboard.press('End')
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('img', { name: /^virtualbox on amd64, 8\.0 MB, 100 %$/ })).toBeVisible()
  await expect(page).toHaveURL(/#\/storage\/acme\/base\/[12]\.0\.0$/)

  await page.getByRole('img', { name: /^virtualbox on amd64/ }).focus()
  await page.keyboard.press('Backspace')
  await expect(tile('1.0.0')).toBeVisible()
  await page.getByRole('navigation', { name: 'Where in the picture' }).getByText('All boxes').click()
  await expect(tile('lab')).toBeVisible()

  await page.getByRole('radio', { name: 'Table' }).click()
  await expect(page.getByRole('row', { name: /^acme 2 16\.\d MB/ })).toBeVisible()
  await page.getByRole('button', { name: 'lab', exact: true }).click()
  await expect(page.getByRole('row', { name: /^small 1 2\.0 MB 100\.0 %$/ })).toBeVisible()
})

test('follows what changes, and says when a place in the picture is gone', async ({ app, page }) => {
  await fill(app)
  await to(page, '/storage/lab')
  await expect(page.getByRole('button', { name: /^small, / })).toBeVisible()
  await app.ask('box.remove', { organization: 'lab', box: 'small' })
  await expect(page.getByText('Nothing is on this disk')).toBeVisible()
  await app.ask('access.removeOrganization', { name: 'lab' })
  await expect(page.getByText('lab cannot be shown')).toBeVisible()
  await page.getByRole('button', { name: 'Show all boxes' }).click()
  await expect(page.getByRole('button', { name: /^acme, / })).toBeVisible()
})

test('gives a deleted box back, and cleans up for good what is told beforehand', async ({ app, page }) => {
  await fill(app)
  await app.ask('box.remove', { organization: 'lab', box: 'small' })
  await to(page, '/storage')
  await page.getByRole('button', { name: 'Restore lab/small' }).click()
  await expect(page.getByText('lab/small is back.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Restore lab/small' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^lab, / })).toBeVisible()

  await page.getByRole('button', { name: 'Clean up…' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Clean up' })
  await expect(dialog.getByText('There is nothing to remove.')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Remove' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
})

test('tells elsewhere how a job ended, until it is seen in its place', async ({ app, page }) => {
  await fill(app)
  await to(page, '/settings')
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
  await app.ask('storage.start', { job: 'verify' })
  const told = page.getByRole('status').filter({ hasText: 'Everything was verified.' })
  await expect(told).toBeVisible()
  await told.getByRole('button', { name: 'Show' }).click()
  await expect(page.getByRole('region', { name: 'Job' })).toBeVisible()
  await expect(told).toHaveCount(0)

  await to(page, '/settings')
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
  await app.ask('storage.start', { job: 'verify' })
  await expect(told).toBeVisible()
  await to(page, '/storage')
  await expect(page.getByRole('region', { name: 'Job' })).toBeVisible()
  await expect(told).toHaveCount(0)
})

test('verifies every file, and tells of the damaged one', async ({ app, page }) => {
  await fill(app)
  await to(page, '/storage')
  await page.getByRole('button', { name: 'Verify' }).click()
  const job = page.getByRole('region', { name: 'Job' })
  await expect(job.getByText('Everything was verified')).toBeVisible()
  await expect(job.getByText(/^3 files of 18\.\d MB were checked; everything is sound\.$/)).toBeVisible()
  // What came of it is still there on another day.
  await to(page, '/library')
  await to(page, '/storage')
  await expect(job.getByText('Everything was verified')).toBeVisible()
  await job.getByRole('button', { name: 'Hide' }).click()
  await expect(job).toHaveCount(0)

  const blobs = join(app.dataDir, 'blobs', 'sha256')
  const [damaged = ''] = readdirSync(blobs, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /[0-9a-f]{64}$/.test(name)
  )
  writeFileSync(join(blobs, damaged), 'rotten')
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(job.getByText('Verified: not everything is sound')).toBeVisible()
  await expect(job.getByText(/does not hold the bytes that were stored/)).toBeVisible()
  await expect(page.getByRole('definition').filter({ hasText: /^1$/ })).toBeVisible()
})

test('backs up into the data folder and restores it under the open window', async ({ app, page }) => {
  await fill(app)
  await to(page, '/storage')
  await page.getByRole('button', { name: 'Back up…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Back up' })
  const file = await dialog.getByLabel('File', { exact: true }).inputValue()
  expect(file).toMatch(/\/backups\/boxyard-\d{4}-\d\d-\d\d-\d{4}\.tar$/)
  await dialog.getByLabel('File', { exact: true }).fill('somewhere.tar')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('give the whole path')).toBeVisible()
  await dialog.getByLabel('File', { exact: true }).fill(file)
  await page.keyboard.press('Enter')
  const job = page.getByRole('region', { name: 'Job' })
  await expect(job.getByText('The backup is made')).toBeVisible()
  expect(existsSync(file)).toBe(true)

  await app.ask('box.remove', { organization: 'acme', box: 'base' })
  await app.ask('access.addAccount', { name: 'later', email: null, password: null })
  await expect(page.getByRole('button', { name: /^acme, / })).toHaveCount(0)

  await page.getByRole('button', { name: 'Restore…', exact: true }).click()
  const restoring = page.getByRole('dialog', { name: 'Restore a backup' })
  await restoring.getByLabel('Backup file').fill(file)
  await page.keyboard.press('Enter')
  const sure = page.getByRole('alertdialog')
  await expect(sure.getByText('a safety copy of the catalogue')).toBeVisible()
  await sure.getByRole('button', { name: 'Cancel' }).click()
  await expect(sure).toHaveCount(0)
  expect(await app.ask('storage.job', {})).toMatchObject({ job: 'back-up' })
  await restoring.getByRole('button', { name: 'Restore…' }).click()
  await sure.getByRole('button', { name: 'Replace everything' }).click()
  await expect(job.getByText('The backup is restored')).toBeVisible()
  await expect(page.getByRole('button', { name: /^acme, / })).toBeVisible()
  await expect(page.getByText(/^before-restore-.*\.sqlite$/)).toBeVisible()
  const { accounts } = await app.ask('access', {})
  expect(accounts.map(({ name }) => name)).not.toContain('later')
})

test.describe('on the desktop', () => {
  onlyOn('electron')

  test('chooses the files of a backup and of a restore in the dialogs of the system', async ({
    app,
    page
  }) => {
    const file = join(app.folders.files, 'mine.tar')
    await app.electron.evaluate(({ dialog }, filePath) => {
      dialog.showSaveDialog = async () => ({ canceled: false, filePath })
    }, file)
    await to(page, '/storage')
    await page.getByRole('button', { name: 'Back up…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Back up' })
    await dialog.getByRole('button', { name: 'Choose…' }).click()
    const field = dialog.getByLabel('File', { exact: true })
    const replace = dialog.getByRole('checkbox', { name: /^Replace the file/ })
    await expect(field).toHaveValue(file)
    await expect(replace).toBeChecked()
    // The dialog of the system has asked for that file alone.
    await field.fill(`${file}.other`)
    await expect(replace).not.toBeChecked()
    await field.fill(file)
    await dialog.getByRole('button', { name: 'Back up' }).click()
    await expect(page.getByText('The backup is made')).toBeVisible()
    await page.getByRole('button', { name: 'Restore…', exact: true }).click()
    const restoring = page.getByRole('dialog', { name: 'Restore a backup' })
    await app.choose([file], () => restoring.getByRole('button', { name: 'Choose…' }).click())
    await expect(restoring.getByLabel('Backup file')).toHaveValue(file)
  })
})

test('keeps nobody out of its dialogs', async ({ app, page }) => {
  await fill(app)
  await to(page, '/storage')
  for (const name of ['Clean up…', 'Back up…', 'Restore…']) {
    await page.getByRole('button', { name, exact: true }).first().click()
    await expect(page.getByRole('dialog')).toBeVisible()
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
    expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([])
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
})
