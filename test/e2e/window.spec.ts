import { expect, onlyOn, test, type TestApp } from './fixtures.ts'

test.describe('the menu of the window', () => {
  onlyOn('electron')

  /** Chooses an entry as a person would, from a menu of the bar. */
  const choose = (app: TestApp, menu: string, entry: string): Promise<void> =>
    app.electron.evaluate(
      ({ Menu, BrowserWindow }, [menu, entry]) => {
        const bar = Menu.getApplicationMenu()?.items ?? []
        const item = bar
          .find(({ label }) => label.replace('&', '') === menu)
          ?.submenu?.items.find(({ label }) => label === entry)
        if (!item) throw new Error(`There is no ${entry} in ${menu}.`)
        item.click(undefined, BrowserWindow.getAllWindows()[0])
      },
      [menu, entry]
    )

  test('finds from anywhere: where a place has no search, among the boxes', async ({ app, page }) => {
    await app.cli(['demo', '--boxes', '3'])
    await page.getByRole('link', { name: 'Storage' }).first().click()
    await expect(page.getByRole('heading', { level: 1, name: 'Storage' })).toBeFocused()
    await choose(app, 'View', 'Find')
    await expect(page.getByRole('searchbox', { name: /^Search/ })).toBeFocused()
  })

  test('has no key that the overlay of shortcuts does not tell', async ({ app, page }) => {
    await choose(app, 'Help', 'Keyboard shortcuts')
    const overlay = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    for (const what of ['Add box files', 'Find', 'Actual size', 'Reload the window'])
      await expect(overlay.getByText(what, { exact: true })).toBeVisible()
  })
})
