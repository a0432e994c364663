import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { placeWindow, readWindowState, writeWindowState } from '../../../src-main/shell/window-state.ts'
import { tempDir } from '../../support/temp.ts'

const screen = { x: 0, y: 0, width: 1920, height: 1080 }
const second = { x: 1920, y: 0, width: 2560, height: 1440 }
const middle = { x: 320, y: 130, width: 1280, height: 820 }
const at = (x: number, y: number, width = 1000, height = 700) => ({ x, y, width, height, maximized: false })

describe('the window', () => {
  it.each([
    ['is in the middle at first', null, [screen], middle],
    ['is where it was', at(100, 50), [screen], { x: 100, y: 50, width: 1000, height: 700 }],
    [
      'is where it was on a second screen',
      at(2000, 50),
      [screen, second],
      { x: 2000, y: 50, width: 1000, height: 700 }
    ],
    ['comes back when its screen is gone', at(2000, 50), [screen], middle],
    ['comes back from below', at(100, 1070), [screen], middle],
    ['comes back from above, where nobody could take hold of it', at(100, -300), [screen], middle],
    ['comes back when a strip of it is left', at(-950, 50), [screen], middle],
    [
      'stays when half of it is to be seen',
      at(-500, 50),
      [screen],
      { x: -500, y: 50, width: 1000, height: 700 }
    ],
    [
      'is not larger than its screen',
      at(0, 0, 4000, 3000),
      [screen],
      { x: 0, y: 0, width: 1920, height: 1080 }
    ],
    [
      'is not smaller than it can be',
      at(10, 10, 200, 100),
      [screen],
      { x: 10, y: 10, width: 900, height: 600 }
    ],
    [
      'fits a small screen',
      null,
      [{ x: 0, y: 0, width: 1024, height: 700 }],
      { x: 0, y: 0, width: 1024, height: 700 }
    ]
  ] as const)('%s', (_what, last, screens, expected) => {
    expect(placeWindow(last, screens)).toEqual(expected)
  })
})

describe('what is remembered of the window', () => {
  it('is read as it was written, and leaves nothing beside it', () => {
    const dir = tempDir()
    const file = join(dir, 'window.json')
    writeWindowState(file, { ...at(1, 2), maximized: true })
    expect(readWindowState(file)).toEqual({ ...at(1, 2), maximized: true })
    expect(readdirSync(dir)).toEqual(['window.json'])
  })

  it.each([
    '',
    '{',
    'null',
    '[]',
    '{"x":1}',
    '{"x":"a","y":1,"width":1,"height":1,"maximized":false}',
    '{"x":1e300,"y":1,"width":1,"height":1,"maximized":false}'
  ])('is nothing when it is damaged: %s', (content) => {
    const file = join(tempDir(), 'window.json')
    writeFileSync(file, content)
    expect(readWindowState(file)).toBeNull()
  })

  it('is nothing when there is none', () => {
    expect(readWindowState(join(tempDir(), 'none.json'))).toBeNull()
  })
})
