import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

const to = (page: Page, path: string): Promise<void> =>
  page.evaluate((hash) => void (location.hash = hash), `#${path}`)

test('adds an account by keyboard, says what is wrong with it first, and removes it again', async ({
  app,
  page
}) => {
  await to(page, '/access')
  await page.getByRole('button', { name: 'Add account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add account' })
  await page.keyboard.type('a b')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toContainText('may hold only letters')
  await dialog.getByLabel('Name').fill('alice')
  await page.keyboard.press('Tab')
  await page.keyboard.type('alice@example.org')
  await page.keyboard.press('Tab')
  await page.keyboard.type('correct horse')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('row', { name: /^alice alice@example.org password / })).toBeVisible()

  await page.getByRole('button', { name: 'Actions for alice' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Remove account…' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove alice' }).click()
  await expect(page.getByText('alice is removed.')).toBeVisible()
  expect((await app.ask('access', {})).accounts).toHaveLength(1)
  const { owner } = await app.ask('about', {})
  await page.getByRole('button', { name: `Actions for ${owner}` }).click()
  await expect(page.getByRole('menuitem', { name: 'The owner cannot be removed' })).toBeDisabled()
})

test('issues a token that works, shows it once, and revokes it', async ({ app, page }) => {
  await to(page, '/access/tokens')
  await expect(page.getByText('No tokens yet')).toBeVisible()
  await page.getByRole('button', { name: 'Issue token' }).first().click()
  await page.keyboard.type('laptop')
  await page.keyboard.press('Enter')
  const shown = page.getByRole('dialog', { name: /^The token of / })
  const token = (await shown.getByText(/^boxyard_[\w-]{43}$/).textContent())?.trim() ?? ''
  // It is not shown again, so a slip of the mouse does not close it.
  await page.mouse.click(8, 8)
  await expect(shown.getByText(`vagrant cloud auth login --token ${token}`)).toBeVisible()
  await expect(shown.getByText(`export VAGRANT_SERVER_URL=${app.registryUrl}`)).toBeVisible()
  const authenticate = async (): Promise<number> =>
    (await fetch(`${app.registryUrl}/api/v1/authenticate`, { headers: { authorization: `Bearer ${token}` } }))
      .status
  expect(await authenticate()).toBe(200)
  await shown.getByRole('button', { name: 'Done' }).click()
  await expect(page.locator('body')).not.toContainText(token)
  await expect(page.getByRole('row', { name: /^laptop / })).not.toContainText('never')

  await page.getByRole('button', { name: /^Revoke laptop / }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke token' }).click()
  await expect(page.getByText('No tokens yet')).toBeVisible()
  expect(await authenticate()).toBe(401)
})

test('turns two-factor on with a picture and shows the code somebody asks for', async ({ app, page }) => {
  await app.ask('access.addAccount', { name: 'alice', email: null, password: 'correct horse' })
  await to(page, '/access/accounts')
  await page.getByRole('button', { name: 'Actions for alice' }).click()
  await page.getByRole('menuitem', { name: 'Turn two-factor on…' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Turn on' }).click()
  const setup = page.getByRole('dialog', { name: 'Two-factor is on for alice' })
  await expect(setup.getByRole('img', { name: /as a picture/ })).toBeVisible()
  await expect(setup.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/)).toBeVisible()
  await setup.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('row', { name: /^alice .*two-factor/ })).toBeVisible()

  const post = (path: string, body: unknown): Promise<Response> =>
    fetch(`${app.registryUrl}/api/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body)
    })
  const user = { login: 'alice', password: 'correct horse' }
  await post('two-factor/request-code', { two_factor: { delivery_method: 'sms' }, user })
  const banner = page.getByRole('region', { name: 'Sign-in codes' })
  const code = (await banner.getByText(/^\d{3} \d{3}$/).textContent()) ?? ''
  await expect(page.getByText(/^Sign-in code for alice: \d{6}, valid for 5 minutes\.$/)).toBeVisible()
  expect((await post('authenticate', { two_factor: { code }, user })).status).toBe(200)
  await expect(banner.getByText(code)).toHaveCount(0)

  await page.getByRole('button', { name: 'Actions for alice' }).click()
  await page.getByRole('menuitem', { name: 'Turn two-factor off…' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Turn off' }).click()
  await expect(page.getByRole('row', { name: /^alice .*two-factor/ })).toHaveCount(0)
})

test('makes an organization, its members and their roles, and what it says of itself', async ({
  app,
  page
}) => {
  await app.ask('access.addAccount', { name: 'alice', email: null, password: null })
  await to(page, '/access/organizations')
  await page.getByRole('button', { name: 'Add organization' }).click()
  await page.keyboard.type('lab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'lab' })).toBeVisible()

  await page.getByRole('combobox', { name: 'Add a member' }).click()
  await page.keyboard.type('ali')
  await page.getByRole('option', { name: 'alice' }).click()
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  const members = page.getByRole('list', { name: 'Members of lab' })
  await expect(members.getByText('alice', { exact: true })).toBeVisible()
  await page.getByRole('combobox', { name: /^Role of alice/ }).click()
  await page.getByRole('option', { name: 'Admin' }).click()
  const roleOfAlice = async () =>
    (await app.ask('access', {})).organizations
      .find(({ name }) => name === 'lab')
      ?.members.find(({ user }) => user === 'alice')?.role
  await expect.poll(roleOfAlice).toBe('admin')

  const { owner } = await app.ask('about', {})
  await page.getByRole('button', { name: `Take ${owner} out` }).click()
  await expect(members.getByText(owner, { exact: true })).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('combobox', { name: `Role of ${owner}` })).toHaveText('Admin')
  await page.getByRole('button', { name: `Take ${owner} out` }).click()
  await expect(members.getByText(owner, { exact: true })).toHaveCount(0)
  await page.getByRole('button', { name: 'Take alice out' }).click()
  await expect(page.getByText('alice is the last admin of lab')).toBeVisible()
  await expect(members.getByText('alice', { exact: true })).toBeVisible()

  await page.getByLabel('Profile of lab').fill('# The lab')
  await page.getByRole('button', { name: 'Save profile' }).click()
  await expect(page.getByText('The profile is saved.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save profile' })).toHaveCount(0)

  await page.getByRole('button', { name: 'Remove…' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove lab' }).click()
  await expect(page.getByRole('link', { name: /^lab, / })).toHaveCount(0)
})

test('keeps nobody out of its dialogs and tabs, and does not break on hostile names', async ({
  app,
  page
}) => {
  const long = `x${'-long'.repeat(25)}`
  await app.ask('access.addAccount', { name: long, email: `"<b>"@${'e'.repeat(200)}`, password: null })
  await app.ask('access.issueToken', { user: long, description: '<img src=x onerror=alert(1)>'.repeat(9) })
  await app.ask('access.addOrganization', { name: long, owner: long })
  await app.ask('access.setProfile', { name: long, profile: '<script>alert(1)</script>'.repeat(1000) })
  await page.setViewportSize({ width: 900, height: 600 })
  for (const tab of ['accounts', `organizations/${long}`, 'tokens']) {
    await to(page, `/access/${tab}`)
    await expect(page.getByRole('tab', { selected: true })).toHaveText(
      new RegExp(`^${tab.split('/')[0]}`, 'i')
    )
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
    expect
      .soft(
        violations.filter(({ impact }) => impact === 'serious' || impact === 'critical'),
        tab
      )
      .toEqual([])
    const wider = await page.evaluate(() =>
      [...document.querySelectorAll('main, main *')].some(
        (element) =>
          getComputedStyle(element).overflowX === 'auto' && element.scrollWidth > element.clientWidth + 1
      )
    )
    expect.soft(wider, `${tab} stays within the window`).toBe(false)
  }
  for (const [tab, button] of [
    ['accounts', 'Add account'],
    ['organizations', 'Add organization'],
    ['tokens', 'Issue token']
  ] as const) {
    await to(page, `/access/${tab}`)
    await page.getByRole('button', { name: button }).first().click()
    await expect(page.getByRole('dialog')).toBeVisible()
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
    expect
      .soft(
        violations.filter(({ impact }) => impact === 'serious' || impact === 'critical'),
        button
      )
      .toEqual([])
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
})
