import { rmSync } from 'node:fs'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import type { SecondRegistry } from '../support/e2e/second-registry.ts'
import { expect, onlyOn, test, type TestApp } from './fixtures.ts'

const goTo = (page: Page, place: string) =>
  page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: place }).click()
const group = (page: Page, name: string) => page.getByRole('region', { name })
const row = (page: Page, file: string) => page.locator('[data-row]').filter({ hasText: file })
const states = async (app: TestApp) =>
  Object.fromEntries(
    (await app.ask('transfers', {})).arrivals.map(({ fileName, state }) => [fileName, state])
  )

/** Takes long enough to be looked at. */
const large = 2e9

test('says what there is to do while nothing is on its way', async ({ app, page }) => {
  await goTo(page, 'Transfers')
  await expect(page.getByText('Nothing is on its way')).toBeVisible()
  await app.choose([app.boxFile({ name: 'base.box' })], () =>
    page.getByRole('main').getByRole('button', { name: 'Add files…' }).click()
  )
  await expect(page).toHaveURL(/#\/publish/)
})

test('several files are read some at a time, go on wherever the person is, and end as ready', async ({
  app,
  page
}) => {
  const paths = ['a', 'b', 'c', 'd', 'e'].map((name) => app.boxFile({ name: `${name}.box`, size: 40e6 }))
  await app.drop(paths)
  await goTo(page, 'Transfers')
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(5)
  await goTo(page, 'Library')
  await expect
    .poll(() => states(app), { timeout: 60_000 })
    .toEqual({ 'a.box': 'ready', 'b.box': 'ready', 'c.box': 'ready', 'd.box': 'ready', 'e.box': 'ready' })
  await goTo(page, 'Transfers')
  await expect(group(page, 'Needs you').getByRole('listitem')).toHaveCount(5)
  await row(page, 'c.box').getByRole('button', { name: 'Publish c.box' }).click()
  await expect(page.getByLabel('Box name')).toHaveValue('c')
})

test('one that runs can be cancelled and tried again', async ({ app, page }) => {
  await app.drop([app.boxFile({ name: 'large.box', size: large })])
  await goTo(page, 'Transfers')
  await expect(group(page, 'Running').getByRole('progressbar')).toBeVisible()
  await page.getByRole('button', { name: 'Cancel large.box' }).click()
  await expect(group(page, 'Finished')).toContainText('Cancelled')
  await page.getByRole('button', { name: 'Retry large.box' }).click()
  await expect(group(page, 'Running').getByText('large.box')).toBeVisible()
  await page.getByRole('button', { name: 'Cancel large.box' }).click()
  await expect(group(page, 'Running')).toBeHidden()
})

test('those that ended can be cleared away', async ({ app, page }) => {
  await app.drop([app.boxFile({ name: 'base.box' })])
  await page.getByRole('button', { name: 'Publish and release 1.0.0', exact: true }).click()
  await expect(page.getByRole('heading', { name: /is released/ })).toBeVisible()
  await goTo(page, 'Transfers')
  await expect(group(page, 'Finished').getByRole('listitem')).toHaveCount(1)
  await page.getByRole('button', { name: 'Clear finished' }).click()
  await expect(page.getByText('Nothing is on its way')).toBeVisible()
  expect(await states(app)).toEqual({})
})

test('what a client sends is seen while it comes, and can be cut off', async ({ app, page }) => {
  const organization = (await app.ask('about', {})).owner
  const { token } = await app.ask('access.issueToken', { user: organization, description: 'test' })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const api = `${app.registryUrl}/api/v2`
  const post = (path: string, body: unknown) =>
    fetch(`${api}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  await post('/boxes', { box: { username: organization, name: 'sent' } })
  await post(`/box/${organization}/sent/versions`, { version: { version: '1.0.0' } })
  await post(`/box/${organization}/sent/version/1.0.0/providers`, {
    provider: { name: 'virtualbox', architecture: 'amd64' }
  })
  const upload = await fetch(
    `${api}/box/${organization}/sent/version/1.0.0/provider/virtualbox/amd64/upload`,
    { headers }
  )
  const { upload_path } = (await upload.json()) as { upload_path: string }
  const ended = new AbortController()
  const body = new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array(1e6)) })
  const sent = fetch(upload_path, {
    method: 'PUT',
    body,
    duplex: 'half',
    signal: ended.signal
  } as RequestInit).then(
    ({ ok }) => ok,
    () => false
  )
  await goTo(page, 'Transfers')
  await expect(group(page, 'Running')).toContainText(`${organization}/sent 1.0.0`)
  await page.getByRole('button', { name: /^Cancel .*sent 1\.0\.0/ }).click()
  await expect(page.getByText('Nothing is on its way')).toBeVisible()
  ended.abort()
  expect(await sent).toBe(false)
})

/** The other registry as a remote, also after a restart on a machine without a keychain. */
async function addRemote(app: TestApp, name: string, { url, token }: SecondRegistry): Promise<number> {
  app.folders.env[`BOXYARD_TOKEN_${name.toUpperCase()}`] = token
  return (await app.ask('remotes.add', { location: url, token, name, checkMinutes: null })).id
}
const remoteStates = async (app: TestApp) =>
  Object.fromEntries(
    (await app.ask('transfers', {})).remoteTransfers.map(({ box, remoteName, state }) => [
      `${box} to ${remoteName}`,
      state
    ])
  )
/** So many boxes here, and on their way to a remote. */
async function publishAll(app: TestApp, remoteId: number, names: readonly string[], size = 0) {
  const { owner } = await app.ask('about', {})
  for (const name of names)
    await app.cli(['import', app.boxFile({ name: `${name}-1.0.0.box`, size }), '--release'])
  return app.ask('sync.start', {
    requests: names.map((box) => ({ direction: 'publish', remoteId, organization: owner, box }))
  })
}
async function grave(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
}

test('a remote that is cut off half-way is waited for, over a restart, until all of it is there', async ({
  app,
  page,
  registry
}) => {
  const [lab, other] = [await registry(), await registry()]
  await addRemote(app, 'Lab', lab)
  await addRemote(app, 'Other', other)
  await app.ask('settings.change', { uploadLimit: 4_000_000 })
  await app.drop([app.boxFile({ name: 'base-1.2.0.box', size: 24e6 })])
  await expect(page.getByText('The file says it is for virtualbox')).toBeVisible()
  await page.getByRole('checkbox', { name: 'Lab' }).click()
  await page.getByRole('checkbox', { name: 'Other' }).click()
  await page.getByRole('button', { name: 'Publish and release 1.2.0', exact: true }).click()
  await page.getByRole('link', { name: 'Show in Transfers' }).click()
  const toLab = row(page, 'To Lab')
  await expect(toLab).toContainText('Publishing')
  await expect(toLab.getByRole('progressbar')).toHaveAttribute('aria-valuenow', /[1-9]/)

  await lab.kill()
  await expect(group(page, 'Waiting')).toContainText('To Lab')
  await expect(toLab).toContainText(/Tries again in \d+ s/)
  await expect(toLab).toContainText('answer')
  await app.ask('settings.change', { uploadLimit: null })
  await expect(row(page, 'To Other')).toContainText('Published')

  await app.restart()
  await goTo(app.page, 'Transfers')
  await expect(row(app.page, 'To Lab')).toHaveAttribute('data-state', /retrying|waiting|uploading/)
  await lab.start()
  const now = app.page.getByRole('button', { name: /^Try .* to lab now/ })
  await expect(async () => {
    if (await now.isVisible()) await now.click({ timeout: 500 })
    await expect(row(app.page, 'To Lab')).toHaveAttribute('data-state', 'done', { timeout: 2_000 })
  }).toPass({ timeout: 30_000 })
  const { owner } = await app.ask('about', {})
  for (const there of [lab, other])
    expect((await there.get(`/api/v2/box/${owner}/base`)).body).toMatchObject({
      versions: [{ version: '1.2.0', status: 'active', providers: [{ name: 'virtualbox' }] }]
    })
})

test('what goes to a remote can be paused, put before others, cancelled and held, and looked into', async ({
  app,
  page,
  registry
}) => {
  const lab = await registry()
  const remoteId = await addRemote(app, 'Lab', lab)
  await app.ask('settings.change', { uploadLimit: 1_000_000, parallelTransfers: 1 })
  await publishAll(app, remoteId, ['first', 'one', 'two', 'three'], 60e6)
  await goTo(page, 'Transfers')
  const running = group(page, 'Running').getByRole('listitem')
  const waiting = group(page, 'Waiting').getByRole('listitem')
  await expect(running).toHaveText([/first.*To Lab/s])
  await expect(waiting).toHaveText([/one/, /two/, /three/])
  await page.getByRole('button', { name: /^Steps of .*first/ }).click()
  await expect(page.getByRole('list', { name: 'Steps' })).toContainText('virtualbox/amd64')
  await expect(page.locator('[data-step-state=done]').first()).toBeVisible()
  expect.soft(await grave(page), 'while it runs').toEqual([])

  await page.getByRole('button', { name: /^Move .*three.* to the top/ }).click()
  await expect(waiting).toHaveText([/three/, /one/, /two/])
  await page.getByRole('button', { name: /^Move .*two.* up/ }).click()
  await expect(waiting).toHaveText([/three/, /two/, /one/])
  await page.getByRole('button', { name: /^Cancel .*two/ }).click()
  await expect(group(page, 'Finished')).toContainText('two')

  await page.getByRole('button', { name: /^Pause .*first/ }).click()
  await expect(row(page, '/first')).toContainText('Paused')
  await expect(running).toHaveText([/three/])
  await page.getByRole('button', { name: 'Pause all' }).click()
  await expect(page.getByText('Everything to and from remotes is paused')).toBeVisible()
  await expect(running).toHaveCount(0)
  await expect(row(page, '/one')).toContainText('On hold')
  expect.soft(await grave(page), 'while it is held').toEqual([])
  await page.getByRole('button', { name: 'Resume all' }).click()
  await expect(running).toHaveText([/three/])

  await page.getByRole('button', { name: /^Limits/ }).click()
  await page.getByLabel('Upload speed').click()
  await page.getByRole('option', { name: 'No limit' }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Limits', exact: true })).toBeVisible()
  await page.getByRole('button', { name: /^Resume .*first/ }).click()
  await expect
    .poll(() => remoteStates(app))
    .toEqual({
      'first to Lab': 'done',
      'one to Lab': 'done',
      'two to Lab': 'cancelled',
      'three to Lab': 'done'
    })
  // The window hears of the last one a moment after the product knows.
  await expect(group(page, 'Finished').locator('[data-row]')).toHaveCount(4)
  await page.getByRole('button', { name: 'Clear finished' }).click()
  await expect(page.getByText('Nothing is on its way')).toBeVisible()
})

test('where both sides have other bytes nothing is overwritten: the person decides', async ({
  app,
  page,
  registry
}) => {
  const lab = await registry()
  const remoteId = await addRemote(app, 'Lab', lab)
  const { owner } = await app.ask('about', {})
  await lab.put({ box: 'both', version: '1.0.0', organization: owner })
  await publishAll(app, remoteId, ['both'])
  await goTo(page, 'Transfers')
  await expect(group(page, 'Needs you')).toContainText('To be decided')
  await page.getByRole('button', { name: /^Decide about .*both/ }).click()
  const dialog = page.getByRole('dialog')
  expect.soft(await grave(page), 'the decision').toEqual([])
  await expect(dialog.getByRole('button', { name: 'Go on' })).toBeDisabled()
  for (const group of await dialog.getByRole('radiogroup').all())
    await group.getByRole('radio').first().click()
  await dialog.getByRole('button', { name: 'Go on' }).click()
  await expect(dialog).toBeHidden()
  await expect(row(page, '/both')).toHaveAttribute('data-state', 'done')
})

test('failed ones keep their reason until they are tried again', async ({ app, page, registry }) => {
  const lab = await registry()
  const remoteId = await addRemote(app, 'Lab', lab)
  await app.ask('remotes.change', { id: remoteId, changes: { token: '' } })
  delete app.folders.env['BOXYARD_TOKEN_LAB']
  await publishAll(app, remoteId, ['one', 'two'])
  await goTo(page, 'Transfers')
  await expect(group(page, 'Needs you').getByRole('listitem')).toHaveCount(2)
  await expect(row(page, '/one')).toContainText('token')
  await expect(
    page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: /Transfers.*2 failed/ })
  ).toBeVisible()
  expect.soft(await grave(page), 'failed').toEqual([])
  await app.ask('remotes.change', { id: remoteId, changes: { token: lab.token } })
  await page.getByRole('button', { name: 'Retry all 2 failed' }).click()
  await expect.poll(() => remoteStates(app)).toEqual({ 'one to Lab': 'done', 'two to Lab': 'done' })
})

test('many are dealt with at once, also those of one remote alone', async ({ app, page, registry }) => {
  await app.ask('sync.hold', { held: true })
  await publishAll(app, await addRemote(app, 'Lab', await registry()), ['one', 'two'])
  await publishAll(app, await addRemote(app, 'Archive', await registry()), ['three', 'four'])
  await goTo(page, 'Transfers')
  const waiting = group(page, 'Waiting')
  await expect(waiting.getByRole('listitem')).toHaveCount(4)
  const doAll = async (what: string): Promise<void> => {
    await page.getByRole('button', { name: 'Actions for all of Waiting' }).click()
    await page.getByRole('menuitem', { name: what, exact: true }).click()
  }
  await doAll('Pause all 2 to Archive')
  await expect(waiting.locator('[data-state=paused]')).toHaveCount(2)
  await doAll('Resume all 2')
  await expect(waiting.locator('[data-state=paused]')).toHaveCount(0)

  await doAll('Cancel all 2 to Lab')
  const sure = page.getByRole('alertdialog', { name: 'Cancel 2 transfers?' })
  await expect(sure.getByRole('button', { name: 'Cancel', exact: true })).toBeFocused()
  await sure.getByRole('button', { name: 'Cancel 2 transfers' }).click()
  await expect(waiting.getByRole('listitem')).toHaveText([/three/, /four/])
  await expect(group(page, 'Finished').locator('[data-state=cancelled]')).toHaveCount(2)
  expect.soft(await grave(page), 'with groups').toEqual([])
})

test.describe('on the desktop', () => {
  onlyOn('electron')

  test('those that wait go in the order the person gives them', async ({ app, page }) => {
    await app.ask('settings.change', { parallelReads: 1 })
    const [first = '', ...others] = ['first', 'one', 'two'].map((name) =>
      app.boxFile({ name: `${name}.box`, size: name === 'first' ? large : 0 })
    )
    await app.drop([first, ...others])
    await goTo(page, 'Transfers')
    const waiting = group(page, 'Waiting').getByRole('listitem')
    await expect(waiting).toHaveText([/one\.box/, /two\.box/])
    await page.getByRole('button', { name: 'Move two.box up' }).click()
    await expect(waiting).toHaveText([/two\.box/, /one\.box/])
    await expect(page.getByRole('button', { name: 'Move two.box up' })).toBeDisabled()
    await expect(page.getByRole('button', { name: 'Move two.box down' })).toBeFocused()
    await page.getByRole('button', { name: 'Cancel first.box' }).click()
  })

  test('failed ones keep their reason, and are all tried again at once', async ({ app, page }) => {
    await app.ask('settings.change', { parallelReads: 1 })
    const first = app.boxFile({ name: 'first.box', size: large })
    const lost = ['one', 'two'].map((name) => app.boxFile({ name: `${name}.box` }))
    await app.drop([first, ...lost])
    await goTo(page, 'Transfers')
    await expect(group(page, 'Waiting').getByRole('listitem')).toHaveCount(2)
    for (const path of lost) rmSync(path)
    await page.getByRole('button', { name: 'Cancel first.box' }).click()
    await expect(row(page, 'one.box')).toContainText('There is no file')
    for (const name of ['one', 'two']) app.boxFile({ name: `${name}.box` })
    await page.getByRole('button', { name: 'Retry all 2 failed' }).click()
    await expect.poll(() => states(app)).toMatchObject({ 'one.box': 'ready', 'two.box': 'ready' })
  })
})

test.describe('in a browser', () => {
  onlyOn('browser')

  test('more than two files wait in the page until there is room, and can be taken out of it', async ({
    app,
    page
  }) => {
    await app.drop(['a', 'b', 'c', 'd'].map((name) => app.boxFile({ name: `${name}.box`, size: 300e6 })))
    await goTo(page, 'Transfers')
    await expect(group(page, 'Waiting').getByRole('listitem')).toHaveCount(2)
    await page.getByRole('button', { name: 'Cancel d.box' }).click()
    await expect
      .poll(() => states(app), { timeout: 60_000 })
      .toEqual({ 'a.box': 'ready', 'b.box': 'ready', 'c.box': 'ready' })
  })
})
