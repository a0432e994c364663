import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, onlyOn, test, type TestApp } from './fixtures.ts'

// Both faces show the same document, and the rules read nothing else.
onlyOn('browser')

/** What axe finds that keeps people out. Colours, names, roles, order of headings and the like. */
async function grave(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
}

/** Something of everything there can be. */
async function fill(app: TestApp): Promise<string> {
  await app.cli(['demo', '--boxes', '60'])
  const { owner } = await app.ask('about', {})
  for (const version of ['1.0.0', '1.1.0', '2.0.0-rc1'])
    await app.cli([
      'import',
      app.boxFile({ name: `base-${version}.box` }),
      '--name',
      'base',
      '--box-version',
      version
    ])
  const box = { organization: owner, box: 'base' }
  await app.ask('version.release', { ...box, version: '1.0.0' })
  await app.ask('version.release', { ...box, version: '1.1.0' })
  await app.ask('version.revoke', { ...box, version: '1.0.0' })
  await app.ask('box.change', {
    ...box,
    changes: { description: '# Title\n\n[a link](https://example.com) and `code`' }
  })
  await app.ask('image.create', {
    ...box,
    version: '1.1.0',
    provider: 'libvirt',
    architecture: 'arm64',
    changes: { url: 'https://example.com/base.box' }
  })
  await app.ask('box.create', { organization: owner, box: 'gone', changes: {} })
  await app.ask('box.remove', { organization: owner, box: 'gone' })
  await app.ask('access.addAccount', { name: 'alice', email: 'alice@example.com', password: 'correct horse' })
  await app.ask('access.issueToken', { user: 'alice', description: 'her laptop' })
  await app.ask('arrivals.addUrl', { url: 'https://example.com/other-1.0.0.box' })
  await app.drop([app.boxFile({ name: 'dropped.box' })])
  await expect
    .poll(async () => (await app.ask('transfers', {})).arrivals.map(({ state }) => state))
    .toEqual(['ready', 'ready'])
  return owner
}

const places = ['library', 'box', 'publish', 'transfers', 'remotes', 'storage', 'access', 'settings'] as const

for (const appearance of ['light', 'dark'] as const)
  test(`nothing keeps anybody out of any place, ${appearance}`, async ({ app, page }) => {
    // Every place is looked at twice.
    test.slow()
    await app.ask('settings.change', { appearance })
    for (const place of places.filter((place) => place !== 'box')) {
      await page.evaluate((to) => void (location.hash = to), `#/${place}`)
      await expect(page.locator('#page-title')).toBeVisible()
      expect.soft(await grave(page), `${place}, empty`).toEqual([])
    }
    const owner = await fill(app)
    for (const place of places) {
      await page.evaluate(
        (to) => void (location.hash = to),
        place === 'box' ? `#/box/${owner}/base` : `#/${place}`
      )
      await expect(page.locator('#page-title')).toBeVisible()
      if (place === 'box') await expect(page.getByText('2.0.0-rc1').first()).toBeVisible()
      expect.soft(await grave(page), `${place}, full`).toEqual([])
    }
  })

test('nothing keeps anybody out of the overlays', async ({ app, page }) => {
  await fill(app)
  await page.keyboard.press('ControlOrMeta+k')
  await expect(page.getByRole('dialog')).toBeVisible()
  expect.soft(await grave(page), 'palette').toEqual([])
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.locator('#page-title').click()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toBeVisible()
  expect.soft(await grave(page), 'shortcuts').toEqual([])
})
