import { expect, onlyOn, test, type TestApp } from './fixtures.ts'

const rows = (app: TestApp) => app.page.locator('[role=row][data-index]')
const grid = (app: TestApp) => app.page.getByRole('grid', { name: 'Boxes' })
const search = (app: TestApp) => app.page.getByRole('searchbox')

/** Empty boxes of these names, in an organization that has no others. */
async function makeBoxes(app: TestApp, names: readonly string[]): Promise<string> {
  const { owner } = await app.ask('about', {})
  for (const box of names)
    await app.ask('box.create', {
      organization: owner,
      box,
      changes: { shortDescription: `What ${box} is for`, private: box.includes('secret') }
    })
  for (const box of names)
    await expect(
      rows(app)
        .filter({ hasText: `${owner}/${box}` })
        .first()
    ).toBeVisible()
  return owner
}

const boxesLeft = async (app: TestApp): Promise<string[]> => {
  const query = {
    q: '',
    provider: null,
    architecture: null,
    organization: null,
    visibility: 'any',
    state: 'any',
    origin: 'any',
    sort: 'name',
    order: 'asc'
  } as const
  const { rows } = await app.ask('library.find', { query, offset: 0, limit: 500 })
  return rows.map(({ name }) => name)
}

test('an empty library says what to do, with the lines for this server', async ({ app, page }) => {
  const { owner } = await app.ask('about', {})
  await expect(page.getByRole('heading', { name: 'Drop a box file to begin' })).toBeVisible()
  await expect(page.getByText(`export VAGRANT_SERVER_URL=${app.registryUrl}`)).toBeVisible()
  await expect(page.getByText(`vagrant cloud publish ${owner}/base`)).toBeVisible()
})

test('finds as somebody types, and says how many', async ({ app, page }) => {
  await makeBoxes(app, ['alpha', 'beta', 'beta-two'])
  await expect(rows(app)).toHaveCount(3)
  await page.keyboard.press('/')
  await page.keyboard.type('beta')
  await expect(rows(app)).toHaveCount(2)
  await expect(page.locator('#library-count')).toHaveText('2 boxes')
  await expect(page).toHaveURL(/#\/library\?q=beta/)
  await search(app).fill('nothing of that name')
  await expect(page.getByRole('heading', { name: 'No box is like that' })).toBeVisible()
  await page.getByRole('main').getByRole('button', { name: 'Clear all' }).last().click()
  await expect(rows(app)).toHaveCount(3)
})

test('filters by what a box is, and takes the filter away again', async ({ app, page }) => {
  await makeBoxes(app, ['open', 'secret'])
  await page.getByRole('button', { name: 'Visibility' }).click()
  await page.getByRole('option', { name: 'Private' }).click()
  await expect(rows(app)).toHaveCount(1)
  await expect(rows(app).getByRole('img', { name: 'Private' })).toBeVisible()
  await page.getByRole('button', { name: 'Remove the filter Visibility' }).click()
  await expect(rows(app)).toHaveCount(2)
})

test('a filter chosen by keyboard leaves the focus where it was', async ({ app, page }) => {
  await makeBoxes(app, ['open', 'secret'])
  const filter = page.getByRole('button', { name: 'Visibility' }).first()
  await filter.press('Enter')
  await expect(page.getByRole('listbox', { name: 'Visibility' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(rows(app)).toHaveCount(1)
  await expect(page.getByRole('button', { name: /^Visibility: / })).toBeFocused()
  await page.getByRole('button', { name: 'Remove the filter Visibility' }).press('Enter')
  await expect(rows(app)).toHaveCount(2)
  await expect(filter).toBeFocused()
})

test('sorts by its columns, and says so to who cannot see the arrow', async ({ app, page }) => {
  await makeBoxes(app, ['alpha', 'beta'])
  const column = page.getByRole('columnheader', { name: 'Box' })
  await expect(column).toHaveAttribute('aria-sort', 'ascending')
  await expect(rows(app).first()).toContainText('alpha')
  await column.getByRole('button').click()
  await expect(column).toHaveAttribute('aria-sort', 'descending')
  await expect(rows(app).first()).toContainText('beta')
})

test('goes through many boxes by keyboard alone and opens one', async ({ app, page }) => {
  await app.cli(['demo', '--boxes', '500'])
  await expect(page.locator('#library-count')).toHaveText('500 boxes')
  await grid(app).focus()
  await expect(grid(app)).toHaveAttribute('aria-rowcount', '501')
  await page.keyboard.press('End')
  const current = page.locator('[role=row][data-current]')
  await expect(current).toHaveAttribute('aria-rowindex', '501')
  await expect(grid(app)).toHaveAttribute('aria-activedescendant', 'box-row-499')
  await page.keyboard.press('ArrowUp')
  await expect(current).toHaveAttribute('aria-rowindex', '500')
  await page.keyboard.press('Home')
  await expect(current).toHaveAttribute('aria-rowindex', '2')
  await page.keyboard.press('PageDown')
  await expect(current).not.toHaveAttribute('aria-rowindex', '2')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/#\/box\//)
  await page.goBack()
  await expect(current).not.toHaveAttribute('aria-rowindex', '2')
})

test('selects over rows that were never read', async ({ app, page }) => {
  await app.cli(['demo', '--boxes', '500'])
  await expect(page.locator('#library-count')).toHaveText('500 boxes')
  await grid(app).focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Shift+End')
  await expect(page.getByText('499 selected')).toBeVisible()
  // The row has been read by now, and is a box.
  await expect(page.locator('[data-index="499"]')).toContainText('/')
  await page.keyboard.press('Space')
  await expect(page.getByText('498 selected')).toBeVisible()
  await page.keyboard.press('Control+a')
  await expect(page.getByText('500 selected')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('toolbar')).toBeHidden()
})

test('deletes what is selected, and has it back', async ({ app, page }) => {
  await makeBoxes(app, ['alpha', 'beta', 'gamma'])
  await rows(app).nth(0).click()
  await rows(app)
    .nth(1)
    .click({ modifiers: ['Shift'] })
  await expect(page.getByText('2 selected')).toBeVisible()
  await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Delete 2 boxes?' })
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await dialog.getByRole('button', { name: 'Delete 2 boxes' }).click()
  await expect(rows(app)).toHaveCount(1)
  expect(await boxesLeft(app)).toEqual(['gamma'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(rows(app)).toHaveCount(3)
  expect(await boxesLeft(app)).toEqual(['alpha', 'beta', 'gamma'])
})

test('makes several boxes private at once', async ({ app, page }) => {
  const owner = await makeBoxes(app, ['alpha', 'beta'])
  await grid(app).focus()
  await page.keyboard.press('Control+a')
  await page.getByRole('button', { name: 'Make private' }).click()
  await expect(rows(app).getByRole('img', { name: 'Private' })).toHaveCount(2)
  expect((await app.ask('box.read', { organization: owner, box: 'alpha' })).private).toBe(true)
})

test('publishes what is selected to a remote, and says before what that does', async ({
  app,
  page,
  registry
}) => {
  const lab = await registry()
  await app.ask('remotes.add', { location: lab.url, token: lab.token, name: 'Lab', checkMinutes: null })
  const { owner } = await app.ask('about', {})
  for (const name of ['one', 'two', 'three'])
    await app.cli(['import', app.boxFile({ name: `${name}-1.0.0.box` }), '--release'])
  const row = (name: string) => page.getByRole('row').filter({ hasText: `${owner}/${name}` })
  // One that came later would move the others under the pointer.
  await expect(rows(app)).toHaveCount(3)
  await row('one').click()
  await row('two').click({ modifiers: ['ControlOrMeta'] })
  await row('one').click({ modifiers: ['ControlOrMeta'] })
  await expect(page.getByText('2 selected')).toBeVisible()
  await page.getByRole('button', { name: 'Publish to…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Publish 2 boxes to…' })
  await expect(dialog.getByRole('button', { name: 'Publish', exact: true })).toBeDisabled()
  await dialog.getByRole('checkbox', { name: 'Lab' }).click()
  await expect(dialog.getByText('2 boxes have something to publish.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Publish to Lab' }).click()
  await expect(dialog).toBeHidden()
  for (const name of ['one', 'two'])
    await expect
      .poll(async () => (await lab.get(`/api/v2/box/${owner}/${name}`)).body)
      .toMatchObject({ current_version: { version: '1.0.0' } })
  expect((await lab.get(`/api/v2/box/${owner}/three`)).status).toBe(404)

  // What is there already is said, too, and the choice was remembered.
  await page.keyboard.press('Escape')
  await row('one').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Publish to…' }).click()
  await expect(page.getByRole('dialog').getByRole('checkbox', { name: 'Lab' })).toBeChecked()
  await expect(page.getByRole('dialog').getByText('are there already.')).toBeVisible()
})

test('the menu of a row is of that row', async ({ app, page }) => {
  const owner = await makeBoxes(app, ['alpha', 'beta'])
  await rows(app).nth(1).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Open' }).click()
  await expect(page).toHaveURL(new RegExp(`#/box/${owner}/beta$`))
})

test('shows a box beside the table where there is room', async ({ app, page }) => {
  const owner = await makeBoxes(app, ['alpha'])
  await rows(app).first().click()
  const pane = page.getByRole('complementary', { name: `About ${owner}/alpha` })
  await expect(pane.getByText('What alpha is for')).toBeVisible()
  await page.setViewportSize({ width: 900, height: 600 })
  await expect(pane).toBeHidden()
  await rows(app).getByRole('link').click()
  await expect(page).toHaveURL(new RegExp(`#/box/${owner}/alpha$`))
})

test('makes a box by its name', async ({ app, page }) => {
  const { owner } = await app.ask('about', {})
  await page.getByRole('button', { name: 'New box' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New box' })
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await page.keyboard.type('not a name')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('may hold only letters')).toBeVisible()
  await dialog.getByLabel('Name').fill('made-here')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`#/box/${owner}/made-here$`))
  expect(await boxesLeft(app)).toEqual(['made-here'])
})

test('what another program changes is seen, and the cursor stays on its box', async ({ app, page }) => {
  await makeBoxes(app, ['beta'])
  await rows(app).first().click()
  await makeBoxes(app, ['alpha'])
  await expect(rows(app)).toHaveCount(2)
  await expect(page.locator('[role=row][data-current]')).toContainText('beta')
})

test.describe('when an earlier answer comes last', () => {
  onlyOn('browser')

  test('it is not shown', async ({ app, page }) => {
    await makeBoxes(app, ['alpha', 'beta'])
    await expect(rows(app)).toHaveCount(2)
    let letGo = (): void => undefined
    const held = new Promise<void>((resolve) => (letGo = resolve))
    await page.route('**/desk/call/library.find', async (route) => {
      if (route.request().postDataJSON().query.q === 'al') await held
      await route.continue()
    })
    await search(app).fill('al')
    await search(app).fill('be')
    await expect(rows(app)).toHaveText([/beta/])
    const late = page.waitForResponse((response) => response.request().postData()?.includes('"al"') ?? false)
    letGo()
    await (await late).finished()
    // Two frames: whatever the answer brings about is there by then.
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    )
    expect(await rows(app).allTextContents()).toEqual([expect.stringContaining('beta')])
  })
})
