import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'

/** A place on the desktop, in the system's own points. */
export interface Bounds {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const whole = z.number().int().min(-100_000).max(100_000)
const stateShape = z.object({ x: whole, y: whole, width: whole, height: whole, maximized: z.boolean() })

/** How the window was when it was last seen. */
export type WindowState = z.infer<typeof stateShape>

export const smallest = { width: 900, height: 600 }
const usual = { width: 1280, height: 820 }
/** So much of the bar at its top has to be on some screen, or nobody could move the window back. */
const grip = { width: 120, height: 40 }

/**
 * Where to put the window: where it was, if that can still be seen and fits; else in the middle of the first screen.
 * Screens are unplugged, turned and scaled between runs.
 */
export function placeWindow(last: WindowState | null, screens: readonly Bounds[]): Bounds {
  const first = screens[0] ?? { x: 0, y: 0, ...usual }
  const screen = last && screens.find((area) => showsGrip(last, area))
  if (last && screen) {
    const width = clamp(last.width, smallest.width, screen.width)
    const height = clamp(last.height, smallest.height, screen.height)
    return { x: last.x, y: last.y, width, height }
  }
  const width = Math.min(usual.width, first.width)
  const height = Math.min(usual.height, first.height)
  return {
    x: first.x + Math.round((first.width - width) / 2),
    y: first.y + Math.round((first.height - height) / 2),
    width,
    height
  }
}

function showsGrip({ x, y, width }: WindowState, area: Bounds): boolean {
  const seen = Math.min(x + width, area.x + area.width) - Math.max(x, area.x)
  return seen >= grip.width && y >= area.y && y + grip.height <= area.y + area.height
}

const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(value, most))

/** Null when there is none, or none that can be understood. */
export function readWindowState(file: string): WindowState | null {
  try {
    return stateShape.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}

/** Replaced in one step, so that a half written file is never read. */
export function writeWindowState(file: string, state: WindowState): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.part`, JSON.stringify(state))
  renameSync(`${file}.part`, file)
}
