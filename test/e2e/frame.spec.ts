import { expect, onlyOn, test } from './fixtures.ts'

const places = ['Library', 'Publish', 'Transfers', 'Remotes', 'Storage', 'Access', 'Settings']

test('every place is reached by its number, and the focus goes along', async ({ page }) => {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Library')
  for (const [index, name] of [...places.entries()].slice(1)) {
    await page.keyboard.press(`Control+${index + 1}`)
    await expect(page.getByRole('heading', { level: 1, name })).toBeFocused()
    await expect(page.getByRole('link', { name: new RegExp(`^${name}`) })).toHaveAttribute(
      'aria-current',
      'page'
    )
    await expect(page).toHaveTitle(`${name} – Boxyard`)
  }
})

test('the palette goes to a place, to a box, and does things', async ({ app, page }) => {
  const { owner } = await app.ask('about', {})
  await app.ask('box.create', { organization: owner, box: 'needle', changes: {} })
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Go to anything' })
  await expect(field).toBeFocused()
  await page.keyboard.type('stor')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Storage' })).toBeVisible()

  await page.keyboard.press('Control+k')
  await page.keyboard.type('needle')
  await expect(page.getByRole('option', { name: 'needle' })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`#/box/${owner}/needle$`))

  await page.keyboard.press('Control+k')
  await page.keyboard.type('new box')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'New box' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
})

test('what the palette covered has the focus again', async ({ page }) => {
  await page.keyboard.press('Control+2')
  const heading = page.getByRole('heading', { level: 1, name: 'Publish' })
  await expect(heading).toBeFocused()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: 'Go to anything' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(heading).toBeFocused()
})

test('one Escape closes a dialog, also from a button with a tooltip', async ({ page }) => {
  await page.keyboard.press('?')
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(dialog).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(dialog.getByRole('button', { name: 'Close' })).toBeFocused()
  await expect(page.locator('[data-tooltip-content]')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})

test('shows its shortcuts', async ({ page }) => {
  await page.keyboard.press('?')
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(dialog.getByText('Go to anything or do anything')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})

test('the theme follows the system until one was chosen, and is kept', async ({ app }) => {
  const theme = () => app.page.locator('html').getAttribute('data-theme')
  await app.page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(theme).toBe('light')
  await app.page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(theme).toBe('dark')
  await app.ask('settings.change', { appearance: 'light' })
  await expect.poll(theme).toBe('light')
  await app.restart()
  await app.page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(theme).toBe('light')
})

test('a start goes back to where the person was, with the sidebar as it was', async ({ app }) => {
  await app.page.keyboard.press('Control+b')
  await app.page.keyboard.press('Control+6')
  await expect(app.page.getByRole('button', { name: 'Make the sidebar wide' })).toBeVisible()
  await expect
    .poll(() => app.ask('preferences.read', {}))
    .toMatchObject({ 'frame.place': '/access', 'frame.sidebar': 'small' })
  await app.restart()
  await expect(app.page.getByRole('heading', { level: 1, name: 'Access' })).toBeVisible()
  await expect(app.page.getByRole('button', { name: 'Make the sidebar wide' })).toBeVisible()
})

test('the status bar has the address of the server', async ({ app, page }) => {
  const bar = page.getByRole('contentinfo')
  await expect(bar.getByText('Serving')).toBeVisible()
  await expect(bar.getByText(app.registryUrl)).toBeVisible()
  await expect(bar.getByText('free')).toBeVisible()
})

test('in a narrow window the sidebar is icons, and everything is still reached', async ({ page }) => {
  await page.setViewportSize({ width: 800, height: 600 })
  await expect(page.getByRole('button', { name: 'Make the sidebar wide' })).toBeVisible()
  for (const name of places) {
    await page.getByRole('link', { name: new RegExp(`^${name}`) }).click()
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(overflow, name).toBeLessThanOrEqual(0)
  }
})

test('skips to the content', async ({ page }) => {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Skip to the content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})

test.describe('while the product does not answer', () => {
  onlyOn('browser')
  test.use({ pageMayFail: true })

  test('a page in a browser says so, and goes on once it does', async ({ app, page }) => {
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.route('**/desk/call/**', (route) => route.abort())
    await page.keyboard.press('Control+5')
    const banner = page.getByRole('status').filter({ hasText: 'Boxyard does not answer' })
    await expect(banner).toBeVisible()
    await page.unroute('**/desk/call/**')
    await expect(banner).toBeHidden()
    await expect(page.getByRole('heading', { level: 1, name: 'Storage' })).toBeVisible()
    expect((await app.ask('status', {})).server.state).toBe('running')
  })
})
