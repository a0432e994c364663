import { rmSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expect, onlyOn, test, type TestApp } from './fixtures.ts'

const goTo = (page: Page, place: string) =>
  page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: place }).click()
const group = (page: Page, name: string) => page.getByRole('region', { name })
const row = (page: Page, file: string) =>
  page.getByRole('main').getByRole('listitem').filter({ hasText: file })
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
