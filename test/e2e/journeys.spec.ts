import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { program, provide } from '../support/system-packages.ts'
import { expect, test, type TestApp } from './fixtures.ts'

const hundredThousand = 100_000
const megabyte = 1_000_000

/** The real client, with a home of its own; what it printed. */
async function vagrant(app: TestApp, token: string, ...args: string[]): Promise<string> {
  const home = join(app.folders.files, 'vagrant-home')
  mkdirSync(home, { recursive: true })
  const child = spawn('vagrant', args, {
    cwd: home,
    env: {
      ...process.env,
      VAGRANT_HOME: home,
      VAGRANT_SERVER_URL: app.registryUrl,
      VAGRANT_CLOUD_TOKEN: token,
      VAGRANT_CHECKPOINT_DISABLE: '1',
      VAGRANT_NO_COLOR: '1',
      no_proxy: '127.0.0.1'
    },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')))
  const code = await new Promise((resolve) => child.on('close', resolve))
  expect(code, said).toBe(0)
  return said
}

function needVagrant(): void {
  const trouble = provide([program('vagrant')])
  if (trouble) console.log(`SKIPPED the journeys with vagrant: ${trouble}`)
  test.skip(trouble !== null, trouble ?? '')
}

test('from the first start to a machine that has the box: dropped, released, added by vagrant', async ({
  app,
  page
}) => {
  test.setTimeout(180_000)
  needVagrant()
  await expect(page.getByRole('heading', { name: 'Drop a box file to begin' })).toBeVisible()
  await app.drop([app.boxFile({ name: 'workshop.box', size: 300 * megabyte })])
  await page.getByRole('button', { name: 'Publish and release 1.0.0', exact: true }).click()
  await expect(page.getByRole('heading', { name: /workshop 1\.0\.0 is released/ })).toBeVisible({
    timeout: 60_000
  })

  // The lines to copy lead to the box as they are, with a token made on the spot.
  await page.getByRole('button', { name: 'Make a token' }).click()
  const lines = page.getByRole('region', { name: 'Use it' }).locator('pre')
  await expect(lines).toContainText(/VAGRANT_CLOUD_TOKEN=boxyard_/)
  const token = /VAGRANT_CLOUD_TOKEN=(\S+)/.exec((await lines.textContent()) ?? '')?.[1] ?? ''
  const { owner } = await app.ask('about', {})
  expect(await vagrant(app, token, 'box', 'add', `${owner}/workshop`, '--provider', 'virtualbox')).toContain(
    'Successfully added box'
  )
  await page.getByRole('button', { name: 'Open box' }).click()
  await expect(page.getByText('1 download', { exact: false }).first()).toBeVisible()
})

test('what vagrant publishes from a terminal is in the window at once', async ({ app, page }) => {
  test.setTimeout(180_000)
  needVagrant()
  const { owner } = await app.ask('about', {})
  const { token } = await app.ask('access.issueToken', { user: owner, description: 'a terminal' })
  const file = app.boxFile({ name: 'terminal.box' })
  await page.evaluate((to) => void (location.hash = to), `#/box/${owner}/terminal`)
  await expect(page.getByText(`${owner}/terminal`).first()).toBeVisible()
  await vagrant(
    app,
    token,
    ...['cloud', 'publish', `${owner}/terminal`, '3.1.4', 'virtualbox', file, '--force', '--release']
  )
  await expect(page.getByText('3.1.4').first()).toBeVisible()
  await expect(page.getByText('Released').first()).toBeVisible()
})

test('a hundred thousand boxes are searched, filtered and opened', async ({ app, page }) => {
  test.setTimeout(180_000)
  await app.cli(['demo', '--boxes', String(hundredThousand)])
  const count = page.locator('#library-count')
  await expect(count).toHaveText('100,000 boxes', { timeout: 30_000 })
  const row = page.locator('[role=row][data-index]')
  await page.getByRole('grid').focus()
  await page.keyboard.press('End')
  await expect(page.locator('[data-index="99999"]')).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type('ubuntu 22')
  await expect(count).not.toHaveText('100,000 boxes')
  await expect(row.first()).toContainText(/ubuntu/i)
  await page.getByRole('button', { name: 'Provider' }).click()
  await page.getByRole('option', { name: 'virtualbox', exact: true }).click()
  await expect(page).toHaveURL(/provider=virtualbox/)
  await expect(row.first()).toContainText('virtualbox')
  await page.getByRole('grid').focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/#\/box\//)
})

test('a mirrored box is installed from here when the remote can no longer be reached', async ({
  app,
  page,
  registry
}) => {
  test.setTimeout(180_000)
  needVagrant()
  const lab = await registry()
  await lab.put({ box: 'travelling', version: '2.1.0', organization: 'acme' })
  await page.evaluate(() => void (location.hash = '#/remotes?do=add'))
  const adding = page.getByRole('dialog', { name: 'Add a remote' })
  await adding.getByLabel('Address or folder').fill(lab.url)
  await adding.getByLabel('Token').fill(lab.token)
  await adding.getByRole('button', { name: 'Test' }).click()
  await adding.getByLabel('Name').fill('Lab')
  await adding.getByRole('button', { name: 'Add Lab' }).click()

  await page.getByRole('tab', { name: /^Mirror/ }).click()
  await page.getByRole('button', { name: 'Add a mirror rule' }).click()
  const rule = page.getByRole('dialog', { name: 'Mirror boxes of Lab' })
  await rule.getByLabel('Boxes', { exact: true }).fill('acme/*')
  await expect(rule.getByRole('list', { name: 'Boxes that are mirrored' })).toContainText('acme/travelling')
  await rule.getByRole('button', { name: 'Add rule' }).click()
  await expect(rule).toHaveCount(0)
  const run = page.getByRole('button', { name: 'Run now' })
  if (await run.isEnabled()) await run.click()
  await page.evaluate(() => void (location.hash = '#/box/acme/travelling'))
  await expect(page.getByText('Here', { exact: true })).toBeVisible({ timeout: 30_000 })
  // The bytes are here before the version is released. The rule may have run twice: by itself, and when told to.
  const states = async (): Promise<Set<string>> =>
    new Set((await app.ask('transfers', {})).remoteTransfers.map(({ state }) => state))
  await expect.poll(states).toEqual(new Set(['done']))

  await lab.stop()
  await app.restart()
  const { owner } = await app.ask('about', {})
  const { token } = await app.ask('access.issueToken', { user: owner, description: 'offline' })
  const said = await vagrant(app, token, 'box', 'add', 'acme/travelling', '--provider', 'virtualbox')
  expect(said).toContain("Successfully added box 'acme/travelling' (v2.1.0)")
})
