import { expect, test } from './fixtures.ts'

test('starts on an empty folder, serves the registry, and is there again after a restart', async ({
  app
}) => {
  await expect(app.page.getByRole('navigation')).toBeVisible()
  expect((await fetch(`${app.registryUrl}/api/v2/search`)).status).toBe(200)
  const url = app.registryUrl
  await app.restart()
  expect(app.registryUrl).toBe(url)
  await expect(app.page.getByRole('navigation')).toBeVisible()
})

test('shows at once what a command beside it has changed', async ({ app, page }) => {
  await app.cli(['import', app.boxFile({ name: 'base.box' }), '--release'])
  await expect(page.getByText('base').first()).toBeVisible()
})
