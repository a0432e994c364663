import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { expect, onlyOn, test } from './fixtures.ts'

const toSettings = async (page: Page): Promise<void> => {
  await page.getByRole('link', { name: 'Settings' }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
}

/** A port of this machine that another program has, or had. */
async function portOfAnother(): Promise<{ port: number; end: () => void }> {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  return { port: (other.address() as AddressInfo).port, end: () => void other.close() }
}

test('the look applies at once and stays', async ({ app, page }) => {
  await toSettings(page)
  await page.getByRole('radio', { name: 'Dark' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await app.restart()
  await expect(app.page.locator('html')).toHaveAttribute('data-theme', 'dark')
})

test('the line for a terminal is copied as it has to be', async ({ app, page }) => {
  await toSettings(page)
  await page.getByRole('button', { name: 'Copy the line for bash and zsh' }).click()
  // The window of a desktop may write to the clipboard and not read it.
  const copied = (): Promise<string> =>
    app.face === 'electron'
      ? app.electron.evaluate(({ clipboard }) => clipboard.readText())
      : page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(copied).toBe(`export VAGRANT_SERVER_URL=${app.registryUrl}`)
})

test('other machines can use the registry from the moment that is allowed', async ({ app, page }) => {
  await toSettings(page)
  const share = page.getByRole('switch', { name: /other machines/ })
  test.skip(await share.isDisabled(), 'the command line says where to listen')
  await share.click()
  await expect(page.getByText('Addresses for other machines')).toBeVisible()
  const { server } = await app.ask('status', {})
  for (const url of server.lanUrls) expect((await fetch(url)).status).toBe(200)
  await share.click()
  await expect(page.getByText('Addresses for other machines')).toBeHidden()
  await expect.poll(async () => (await app.ask('status', {})).server.lanUrls).toEqual([])
  expect((await fetch(app.registryUrl)).status).toBe(200)
})

test('a number out of bounds is said beside its field and not saved, and Escape has the old one back', async ({
  app,
  page
}) => {
  await toSettings(page)
  const field = page.getByLabel('Requests a minute')
  await field.fill('5')
  await field.press('Enter')
  await expect(page.getByText('from 10 to 1,000,000,000')).toBeVisible()
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  expect((await app.ask('settings.read', {})).requestsPerMinute).toBe(6000)
  await field.press('Escape')
  await expect(field).toHaveValue('6000')
  await expect(field).toHaveAttribute('aria-invalid', 'false')
  await field.fill('0500')
  await field.press('Tab')
  await expect.poll(async () => (await app.ask('settings.read', {})).requestsPerMinute).toBe(500)
  await expect(field).toHaveValue('500')
})

test('what is typed stays while something else is saved', async ({ page }) => {
  await toSettings(page)
  await page.getByLabel('Requests a minute').fill('77')
  await page.evaluate(() => document.querySelector<HTMLElement>('[role=radio][value=light]')?.click())
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  await expect(page.getByLabel('Requests a minute')).toHaveValue('77')
})

test('names of the server are added, refused and removed', async ({ app, page }) => {
  await toSettings(page)
  const field = page.getByRole('textbox', { name: 'More names of this server' })
  await field.fill('<b>lab</b>')
  await field.press('Enter')
  await expect(page.getByText('is no name a server can have')).toBeVisible()
  await field.fill('Lab.Example')
  await field.press('Enter')
  await expect(page.getByRole('listitem').getByText('lab.example')).toBeVisible()
  expect((await app.ask('settings.read', {})).allowedHosts).toEqual(['lab.example'])
  await page.getByRole('button', { name: 'Remove lab.example' }).click()
  await expect(page.getByRole('listitem').getByText('lab.example')).toBeHidden()
})

test('the port can be changed where the command line does not say it', async ({ app, page }) => {
  await toSettings(page)
  const field = page.getByLabel('Port')
  const { server } = await app.ask('status', {})
  if (server.fixedByCommandLine.includes('port')) {
    await expect(field).toBeDisabled()
    await expect(page.getByText('Set by the command line (--port)').first()).toBeVisible()
    return
  }
  const { port, end } = await portOfAnother()
  await field.fill(String(port))
  await field.press('Enter')
  await expect(page.getByText(`Port ${port} on 127.0.0.1 is taken`)).toBeVisible()
  expect((await fetch(app.registryUrl)).status).toBe(200)
  end()
  await field.fill(String(port))
  await field.press('Enter')
  await expect(page.getByText(`Serving at http://127.0.0.1:${port}`)).toBeVisible()
  expect((await fetch(`http://127.0.0.1:${port}`)).status).toBe(200)
})

test.describe('in a browser', () => {
  onlyOn('browser')

  test('what only a desktop can do is not there', async ({ page }) => {
    await toSettings(page)
    await expect(page.getByRole('switch', { name: /log in/ })).toHaveCount(0)
    await expect(page.getByRole('switch', { name: /window is closed/ })).toHaveCount(0)
  })

  test('many pages are open at once and stay in step', async ({ app, page }) => {
    const pages = [page]
    for (let at = 0; at < 8; at += 1) {
      const other = await page.context().newPage()
      await other.goto(new URL('/#/settings', page.url()).href)
      await expect(other.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
      pages.push(other)
    }
    await app.ask('settings.change', { appearance: 'dark' })
    for (const each of pages) await expect(each.locator('html')).toHaveAttribute('data-theme', 'dark')
    // The first has the stream of events for all of them; another takes its place.
    await pages[1]?.evaluate(() => void ((window as { kept?: boolean }).kept = true))
    await page.goto('about:blank')
    await pages[1]?.getByRole('radio', { name: 'Light' }).click()
    for (const each of pages.slice(1))
      await expect(each.locator('html')).toHaveAttribute('data-theme', 'light')
    expect(await pages[1]?.evaluate(() => (window as { kept?: boolean }).kept)).toBe(true)
  })

  test('the token leaves the address bar, and a page without one says how to come in', async ({ page }) => {
    expect(page.url()).not.toContain('token')
    const stranger = await page.context().browser()?.newContext()
    const other = await stranger?.newPage()
    await other?.goto(new URL('/', page.url()).href)
    await expect(other!.getByText('not signed in any more').first()).toBeVisible()
    await stranger?.close()
  })
})

test.describe('on a desktop', () => {
  onlyOn('electron')

  test('what a desktop can do besides is set here', async ({ app, page }) => {
    await toSettings(page)
    const tray = page.getByRole('switch', { name: /window is closed/ })
    const { capabilities } = await app.ask('about', {})
    test.skip(!capabilities.tray, 'there is no tray here')
    const before = (await app.ask('settings.read', {})).keepInTray
    await tray.click()
    await expect.poll(async () => (await app.ask('settings.read', {})).keepInTray).toBe(!before)
  })
})
