import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, onlyOn, test, type TestApp } from './fixtures.ts'
import { sha256 } from '../support/sha256.ts'

const goTo = (page: Page, place: string) =>
  page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: place }).click()
const field = (page: Page, label: string) =>
  page.locator('input, textarea').and(page.getByLabel(label, { exact: true }))
const files = (page: Page) => page.getByRole('list', { name: 'Files' }).getByRole('listitem')
const read = (app: TestApp, organization: string, box: string) =>
  app.ask('box.read', { organization, box }).catch(() => null)
const arrivals = async (app: TestApp) => (await app.ask('transfers', {})).arrivals
const states = async (app: TestApp) => (await arrivals(app)).map(({ state }) => state).sort()
const owner = async (app: TestApp) => (await app.ask('about', {})).owner

/** The pointer is the page's again once nothing hangs on it. */
async function leave(page: Page, drag: { leave(): Promise<void> }): Promise<void> {
  await drag.leave()
  await page.mouse.move(8, 8)
}

/** Beside the folder a test's files are made in, something that is no box file. */
function otherFile(app: TestApp, name: string, content = 'hello'): string {
  const path = join(dirname(app.boxFile({ name: 'beside.box' })), name)
  writeFileSync(path, content)
  return path
}

test('a dropped file is read, described, published and released, and can be downloaded by clients', async ({
  app,
  page
}) => {
  const path = app.boxFile({ name: 'jammy-virtualbox.box', provider: 'virtualbox', architecture: 'amd64' })
  await app.drop([path])

  // What the file says of itself and what its name says is filled in already.
  await expect(field(page, 'Box name')).toHaveValue('jammy')
  await expect(field(page, 'Version')).toHaveValue('1.0.0')
  await expect(field(page, 'Provider')).toHaveValue('virtualbox')
  await expect(field(page, 'Architecture')).toHaveValue('amd64')
  await expect(page.getByText(/Makes the private box .*\/jammy\./)).toBeVisible()

  await field(page, 'Short description of the box').fill('Everything a web server needs')
  await field(page, 'What is new').fill('**First** of its kind')
  await field(page, 'Version').fill('2.1.0')
  await page.getByRole('checkbox', { name: 'Private box' }).click()
  await expect(page.getByText(/Makes the public box/)).toBeVisible()
  await page.getByRole('button', { name: 'Publish and release 2.1.0', exact: true }).click()

  await expect(page.getByRole('heading', { name: /jammy 2\.1\.0 is released/ })).toBeFocused()
  await expect(page.getByText(/vagrant init .*\/jammy/)).toBeVisible()
  const organization = await owner(app)
  const box = await read(app, organization, 'jammy')
  expect(box).toMatchObject({
    currentVersion: '2.1.0',
    private: false,
    shortDescription: 'Everything a web server needs'
  })
  expect(box?.versions[0]?.description).toBe('**First** of its kind')
  const response = await fetch(
    `${app.registryUrl}/${organization}/boxes/jammy/versions/2.1.0/providers/virtualbox/amd64/vagrant.box`
  )
  expect(sha256(new Uint8Array(await response.arrayBuffer()))).toBe(sha256(readFileSync(path)))

  await page.getByRole('button', { name: 'Open box' }).click()
  await expect(page).toHaveURL(/#\/box\/.*\/jammy/)
})

test('a drop is announced while it is held, says why when it is nothing for here, and goes when it leaves', async ({
  app,
  page
}) => {
  const overlay = page.getByTestId('drop-overlay')
  const boxes = [
    app.boxFile({ name: 'a.box' }),
    app.boxFile({ name: 'b.box' }),
    app.boxFile({ name: 'c.box' })
  ]
  const drag = await app.dragOver(boxes)
  await expect(overlay).toContainText('Drop 3 files to add them')
  await leave(page, drag)
  await expect(overlay).toBeHidden()
  expect(await arrivals(app)).toHaveLength(0)

  const pictures = await app.dragOver([otherFile(app, 'one.png'), otherFile(app, 'two.png')])
  await expect(overlay).toContainText('These are pictures; box files end in .box.')
  await leave(page, pictures)
  await expect(overlay).toBeHidden()
})

test('what is dropped beside box files and is none is left out, and says so', async ({ app, page }) => {
  await app.drop([app.boxFile({ name: 'base.box' }), otherFile(app, 'notes.md')])
  await expect(field(page, 'Box name')).toHaveValue('base')
  await expect(page.getByRole('region', { name: 'Not added' })).toContainText('notes.md does not end in .box')
  expect(await arrivals(app)).toHaveLength(1)
  await page.getByRole('region', { name: 'Not added' }).getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.getByRole('region', { name: 'Not added' })).toBeHidden()
})

test('every box file of a dropped folder is taken, and all can be published at once', async ({
  app,
  page
}) => {
  const one = app.boxFile({ name: 'lab/one.box' })
  app.boxFile({ name: 'lab/deeper/two.box' })
  app.boxFile({ name: 'lab/deeper/three.box', provider: null })
  writeFileSync(join(dirname(one), 'readme.txt'), 'hello')
  await app.drop([dirname(one)])

  await expect(files(page)).toHaveCount(3)
  await expect.poll(() => states(app)).toEqual(['ready', 'ready', 'ready'])
  // One says not what it is for; the others need not wait for it.
  await expect(page.getByRole('button', { name: 'Publish the 2 without problems' })).toBeVisible()
  await page.getByRole('button', { name: /three\.box/ }).click()
  await expect(page.getByText('The provider name is missing')).toBeVisible()
  await field(page, 'Provider').fill('libvirt')
  await page.getByRole('button', { name: 'Publish all 3' }).click()

  await expect.poll(() => states(app)).toEqual(['published', 'published', 'published'])
  await expect(page.getByText(/^Published: /)).toHaveCount(3)
  const organization = await owner(app)
  for (const name of ['one', 'two', 'three'])
    expect(await read(app, organization, name)).toMatchObject({ currentVersion: '1.0.0' })
})

test('in a window of little height everything can still be corrected', async ({ app, page }) => {
  await page.setViewportSize({ width: 640, height: 400 })
  await app.drop([app.boxFile({ name: 'one.box' }), app.boxFile({ name: 'two.box' })])
  const note = field(page, 'What is new')
  await note.scrollIntoViewIfNeeded()
  await expect(note).toBeInViewport({ ratio: 1 })
  await note.click()
  await page.getByRole('button', { name: 'Publish and release 1.0.0' }).scrollIntoViewIfNeeded()
  await expect(page.getByRole('button', { name: 'Publish and release 1.0.0' })).toBeInViewport({ ratio: 1 })
})

test('the dialog and a pasted path add files too', async ({ app, page }) => {
  await goTo(page, 'Publish')
  await app.choose([app.boxFile({ name: 'chosen.box' })], () =>
    page.getByRole('button', { name: 'Browse…' }).click()
  )
  await expect(field(page, 'Box name')).toHaveValue('chosen')
  await page.getByRole('button', { name: 'Add…' }).click()
  await page.getByRole('menuitem', { name: 'Path or address…' }).click()
  await field(page, 'Path or address').fill(app.boxFile({ name: 'pasted.box' }))
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(field(page, 'Box name')).toHaveValue('pasted')
  expect(await arrivals(app)).toHaveLength(2)
})

test('an address of the web is published without its bytes, with the checksum that was given', async ({
  app,
  page
}) => {
  await goTo(page, 'Publish')
  await field(page, 'Path or address').fill('https://boxes.example/base-1.4.0.box')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(field(page, 'Box name')).toHaveValue('base')
  await expect(field(page, 'Version')).toHaveValue('1.4.0')
  await field(page, 'Provider').fill('virtualbox')
  await field(page, 'Checksum').fill('abc')
  await expect(page.getByText(/is not a sha256 one/)).toBeVisible()
  await field(page, 'Checksum').fill('a'.repeat(64))
  await page.getByRole('button', { name: 'Publish and release 1.4.0', exact: true }).click()
  await expect(page.getByRole('heading', { name: /base 1\.4\.0 is released/ })).toBeVisible()
  const box = await read(app, await owner(app), 'base')
  expect(box?.versions[0]?.images[0]).toMatchObject({
    state: 'external',
    url: 'https://boxes.example/base-1.4.0.box',
    checksum: 'a'.repeat(64)
  })
})

test('one that is still read can be published already: it is as soon as it was read', async ({
  app,
  page
}) => {
  await app.drop([app.boxFile({ name: 'large.box', size: 400e6 })])
  await page.getByRole('button', { name: /Publish and release 1\.0\.0/ }).click()
  await goTo(page, 'Library')
  await expect.poll(() => states(app), { timeout: 60_000 }).toEqual(['published'])
  await expect(page.getByText('large.box was published.')).toBeVisible()
})

test('without being released, nobody gets it until it is, which takes one more press', async ({
  app,
  page
}) => {
  await app.drop([app.boxFile({ name: 'base.box' })])
  await page.getByRole('checkbox', { name: 'Release when done' }).click()
  await page.getByRole('button', { name: 'Publish 1.0.0 unreleased', exact: true }).click()
  await expect(page.getByText('No client gets it until it is released.')).toBeVisible()
  const organization = await owner(app)
  expect(await read(app, organization, 'base')).toMatchObject({ currentVersion: null })
  await page.getByRole('button', { name: 'Release 1.0.0', exact: true }).click()
  await expect(page.getByRole('heading', { name: /base 1\.0\.0 is released/ })).toBeVisible()
  expect(await read(app, organization, 'base')).toMatchObject({ currentVersion: '1.0.0' })
  // What was chosen last is what the next file begins with.
  await app.drop([app.boxFile({ name: 'other.box' })])
  await expect(page.getByRole('checkbox', { name: 'Release when done' })).not.toBeChecked()
})

test('what was typed is there again after going elsewhere and after a restart', async ({ app, page }) => {
  await app.drop([app.boxFile({ name: 'base.box' })])
  await expect(page.getByText('The file says it is for virtualbox')).toBeVisible()
  await field(page, 'What is new').fill('Typed and never saved by hand')
  await field(page, 'Box name').fill('renamed')
  await goTo(page, 'Library')
  await goTo(page, 'Publish')
  await expect(field(page, 'Box name')).toHaveValue('renamed')
  await expect(field(page, 'What is new')).toHaveValue('Typed and never saved by hand')
  await app.restart()
  await goTo(app.page, 'Publish')
  await expect(field(app.page, 'Box name')).toHaveValue('renamed')
  await expect(field(app.page, 'What is new')).toHaveValue('Typed and never saved by hand')
})

test('typing is never disturbed by what the product proposes meanwhile', async ({ app, page }) => {
  await app.drop([app.boxFile({ name: 'base.box' })])
  await expect(page.getByText('The file says it is for virtualbox')).toBeVisible()
  await field(page, 'Box name').fill('')
  await field(page, 'Box name').pressSequentially('a-name-that-takes-a-while-to-write', { delay: 25 })
  await expect(page.getByText(/Makes the private box .*\/a-name-that-takes-a-while-to-write\./)).toBeVisible()
  await expect(field(page, 'Box name')).toHaveValue('a-name-that-takes-a-while-to-write')
  await expect(field(page, 'Box name')).toBeFocused()
})

test('a box that is there is suggested by name, with its versions, and the next one is proposed', async ({
  app,
  page
}) => {
  await app.cli(['import', app.boxFile({ name: 'debian-1.3.0.box' }), '--release'])
  await app.drop([app.boxFile({ name: 'other.box', provider: 'libvirt' })])
  await expect(field(page, 'Box name')).toHaveValue('other')
  await field(page, 'Box name').fill('deb')
  await page.getByRole('option', { name: /debian/ }).click()
  await expect(page.getByText('Has one version, 1.3.0.')).toBeVisible()
  await expect(field(page, 'Version')).toHaveValue('1.3.1')
  // The same by keyboard.
  await field(page, 'Provider').fill('vmw')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(field(page, 'Provider')).toHaveValue('vmware_desktop')
  await field(page, 'Version').fill('1.3.0')
  await expect(page.getByText(/to 1\.3\.0, which has been released/)).toBeVisible()
  await page.getByRole('button', { name: 'Add to 1.3.0' }).click()
  await expect(page.getByRole('heading', { name: /debian 1\.3\.0 is released/ })).toBeVisible()
})

test('a file for one box arrives with what is known of it', async ({ app, page }) => {
  await app.cli(['import', app.boxFile({ name: 'debian-1.3.0.box' }), '--release'])
  const organization = await owner(app)
  await page.evaluate(
    (query) => (location.hash = `#/publish?${query}`),
    `organization=${organization}&name=debian&version=1.3.0`
  )
  await expect(page.getByText(`Add a file for ${organization}/debian 1.3.0`)).toBeVisible()
  await app.drop([app.boxFile({ name: 'whatever.box', provider: 'libvirt' })])
  await expect(field(page, 'Box name')).toHaveValue('debian')
  await expect(field(page, 'Version')).toHaveValue('1.3.0')
})

test('one that was removed can be had back', async ({ app, page }) => {
  await app.drop([app.boxFile({ name: 'base.box' })])
  await expect(page.getByText('The file says it is for virtualbox')).toBeVisible()
  await field(page, 'Box name').fill('renamed')
  await page.getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('base.box was removed.')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(field(page, 'Box name')).toHaveValue('renamed')
  await expect.poll(async () => (await states(app)).includes('ready')).toBe(true)
})

test('goes to remotes as well, which was said before, and what was chosen is remembered', async ({
  app,
  page,
  registry
}) => {
  const [lab, other] = [await registry(), await registry()]
  for (const [name, { url, token }] of [['Lab', lab] as const, ['Other', other] as const])
    await app.ask('remotes.add', { location: url, token, name, checkMinutes: null })
  await app.drop([app.boxFile({ name: 'base-1.2.0.box' })])
  await expect(page.getByText('The file says it is for virtualbox')).toBeVisible()
  const plan = page.getByRole('region', { name: 'What will happen' })
  await page.getByRole('checkbox', { name: 'Lab' }).click()
  await page.getByRole('checkbox', { name: 'Other' }).click()
  for (const name of ['Lab', 'Other'])
    await expect(plan.getByRole('listitem', { name: `At ${name}` })).toContainText(
      /Makes the box .*\/base, adds version 1\.2\.0, sends virtualbox\/amd64 .* and releases 1\.2\.0 there\./
    )
  await page.getByRole('button', { name: 'Publish and release 1.2.0', exact: true }).click()

  const elsewhere = page.getByRole('region', { name: 'Elsewhere' }).getByRole('listitem')
  await expect(elsewhere).toHaveText([/Lab.*Published/s, /Other.*Published/s])
  for (const there of [lab, other]) {
    const { body } = await there.get(`/api/v2/box/${await owner(app)}/base`)
    expect(body).toMatchObject({ current_version: { version: '1.2.0' } })
  }

  // The next file goes there, too; and what is there already is known beforehand.
  await app.drop([app.boxFile({ name: 'base-1.3.0.box' })])
  await expect(page.getByRole('checkbox', { name: 'Lab' })).toBeChecked()
  await expect(plan.getByRole('listitem', { name: 'At Lab' })).toContainText(
    /: Adds version 1\.3\.0, sends virtualbox\/amd64 .* and releases 1\.3\.0 there\./
  )
  await page.getByRole('checkbox', { name: 'Other' }).click()
  await expect(plan.getByRole('listitem')).toHaveCount(4)
  await page.getByRole('button', { name: 'Publish and release 1.3.0', exact: true }).click()
  await expect(elsewhere).toHaveText([/Lab.*Published/s])
  const { body } = await other.get(`/api/v2/box/${await owner(app)}/base`)
  expect(body).toMatchObject({ current_version: { version: '1.2.0' } })
})

test('a remote that does not answer is waited for, and what it may refuse is said before', async ({
  app,
  page,
  registry
}) => {
  const lab = await registry()
  await app.ask('remotes.add', { location: lab.url, token: lab.token, name: 'Lab', checkMinutes: null })
  await app.ask('access.addOrganization', { name: 'elsewhere', owner: await owner(app) })
  await app.drop([app.boxFile({ name: 'base-1.0.0.box' })])
  await expect(page.getByText('The file says it is for virtualbox')).toBeVisible()
  await page.getByRole('checkbox', { name: 'Lab' }).click()
  const outlook = page.getByRole('listitem', { name: 'At Lab' })
  await page.getByLabel('Organization').click()
  await page.getByRole('option', { name: 'elsewhere' }).click()
  await expect(outlook).toContainText('has no organization elsewhere at Lab')
  await page.getByLabel('Organization').click()
  await page.getByRole('option', { name: await owner(app) }).click()
  await expect(outlook).not.toContainText('has no organization')

  await lab.stop()
  await field(page, 'Box name').fill('renamed')
  await expect(outlook).toContainText('Lab does not answer now; it goes there when it does.')
  await page.getByRole('button', { name: 'Publish and release 1.0.0', exact: true }).click()
  await expect(page.getByRole('heading', { name: /renamed 1\.0\.0 is released/ })).toBeVisible()
  const there = page.getByRole('region', { name: 'Elsewhere' }).getByRole('listitem')
  await expect(there).toContainText(/Offline|No answer/)
  await expect(there).toContainText('Tries again')
  await lab.start()
  await page.getByRole('link', { name: 'Show in Transfers' }).click()
  // It may be tried by itself before somebody says so.
  const now = page.getByRole('button', { name: /^Try .*renamed 1\.0\.0.* now/ })
  await expect(async () => {
    if (await now.isVisible()) await now.click({ timeout: 500 })
    const { body } = await lab.get(`/api/v2/box/${await owner(app)}/renamed`)
    expect(body).toMatchObject({ current_version: { version: '1.0.0' } })
  }).toPass({ timeout: 30_000 })
})

test.describe('in a browser', () => {
  onlyOn('browser')

  test('closing the page is asked about while it sends, and not when there is nothing to send', async ({
    app,
    page
  }) => {
    const dialogs: string[] = []
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.type())
      void dialog.accept()
    })
    await app.drop([app.boxFile({ name: 'base.box' })])
    await expect(page.getByText('The file says it is for virtualbox')).toBeVisible()
    await page.reload()
    await expect(field(page, 'Box name')).toHaveValue('base')
    expect(dialogs).toEqual([])
    await app.drop([app.boxFile({ name: 'large.box', size: 2e9 })])
    await expect(page.getByText(/Sending and reading/)).toBeVisible()
    await page.reload()
    await expect.poll(() => dialogs).toEqual(['beforeunload'])
    await expect.poll(async () => (await states(app)).includes('failed')).toBe(true)
  })

  test('a word typed just before the page is closed is saved', async ({ app, page }) => {
    await app.drop([app.boxFile({ name: 'base.box' })])
    await expect(page.getByText('The file says it is for virtualbox')).toBeVisible()
    await field(page, 'Box name').fill('at-the-last-moment')
    await page.reload()
    await expect(field(page, 'Box name')).toHaveValue('at-the-last-moment')
  })

  test('a file that breaks off while it is sent can be sent again', async ({ app, page }) => {
    let broken = 0
    await page.route('**/desk/arrivals/**', async (route) => {
      broken += 1
      if (broken === 1) await route.abort()
      else await route.fallback()
    })
    await app.drop([app.boxFile({ name: 'base.box' })])
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('The file says it is for virtualbox')).toBeVisible()
    await expect.poll(() => states(app)).toEqual(['ready'])
  })
})
