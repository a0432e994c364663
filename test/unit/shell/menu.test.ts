import type { MenuItemConstructorOptions } from 'electron'
import { describe, expect, it } from 'vitest'
import { menuTemplate, type MenuActs } from '../../../src-main/shell/menu.ts'

const done: unknown[][] = []
const acts = new Proxy({} as MenuActs, {
  get:
    (_target, name) =>
    (...args: unknown[]) =>
      void done.push([name, ...args])
})

const template = (platform: NodeJS.Platform = 'linux') => menuTemplate(acts, { platform, appearance: 'dark' })

const everyItem = (items: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] =>
  items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? everyItem(item.submenu) : [])])

const click = (label: string): unknown[] => {
  const item = everyItem(template()).find((one) => one.label === label)
  done.length = 0
  ;(item?.click as (() => void) | undefined)?.()
  return done.flat()
}

describe('the menu', () => {
  it.each([
    ['Add box files…', ['addFiles']],
    ['Library', ['go', '/library']],
    ['Remotes', ['go', '/remotes']],
    ['Settings', ['go', '/settings']],
    ['Go to anything…', ['command', 'palette']],
    ['Find', ['command', 'search']],
    ['Keyboard shortcuts', ['command', 'shortcuts']],
    ['Light', ['appearance', 'light']],
    ['Show the log', ['revealLog']]
  ])('%s', (label, expected) => {
    expect(click(label)).toEqual(expected)
  })

  it.each(['linux', 'win32', 'darwin'] as const)('uses no key twice on %s', (platform) => {
    const keys = everyItem(template(platform)).flatMap(({ accelerator }) => accelerator ?? [])
    expect(keys.length).toBeGreaterThan(5)
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('leaves to the interface the keys it answers itself', () => {
    const taken = everyItem(template()).filter(
      ({ accelerator, registerAccelerator }) => accelerator !== undefined && registerAccelerator !== false
    )
    expect(taken.map(({ accelerator }) => accelerator)).toEqual(['CmdOrCtrl+O', 'CmdOrCtrl+F'])
  })

  it('shows the appearance that is set', () => {
    const checked = everyItem(template()).filter((item) => item.type === 'radio' && item.checked)
    expect(checked.map(({ label }) => label)).toEqual(['Dark'])
  })

  it('begins with the application’s own menu on macOS alone', () => {
    expect(template('darwin')[0]?.role).toBe('appMenu')
    expect(template('linux')[0]?.label).toBe('&File')
  })
})
