import { chromium, type Page } from '@playwright/test'
import { asRoot, runtimes } from '../support/e2e/runtimes.ts'
import { serve } from '../support/product.ts'

/** What a person at the window feels, in milliseconds and bytes. */
export interface Feel {
  /** From each keystroke in the search box until its rows are painted. */
  readonly typing: readonly number[]
  /** The longest time the page was busy in one piece while it was scrolled. */
  readonly longestTask: number
  readonly heap: number
}

const words = ['ubuntu 22', 'deb', 'northworks/ubuntu', 'zzz', 'k8s', '9']

/** The library of a catalogue in a real browser: typing, scrolling through all of it, and what memory that took. */
export async function feelOfLibrary(dataDir: string): Promise<Feel> {
  const served = await serve(dataDir, ['--ui'])
  const browser = await chromium.launch({
    executablePath: runtimes.chromium,
    args: [...asRoot, '--disable-gpu', '--disable-dev-shm-usage', '--enable-precise-memory-info']
  })
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
    await page.addInitScript(watch)
    await page.goto(String(served.ui))
    const search = page.getByRole('searchbox')
    await page.getByRole('row').nth(5).waitFor()
    const typing: number[] = []
    for (const word of words) {
      await search.fill('')
      await settled(page)
      for (const letter of word) typing.push(await typed(page, letter))
    }
    await search.fill('')
    await settled(page)
    const longestTask = await scrolled(page)
    const session = await page.context().newCDPSession(page)
    await session.send('HeapProfiler.collectGarbage')
    const heap = await page.evaluate(
      () => (performance as unknown as { memory: { usedJSHeapSize: number } }).memory.usedJSHeapSize
    )
    return { typing, longestTask, heap }
  } finally {
    await browser.close()
    await served.stop()
  }
}

interface Watched {
  /** Searches that were asked for and have not been answered. */
  asking: number
  inputAt: number
  /** When the frame with the latest answer was on the screen. */
  paintedAt: number
  longTasks: { startTime: number; duration: number }[]
}
declare global {
  interface Window {
    watched: Watched
  }
}

/** Runs in the page, before anything of its own does. */
function watch(): void {
  const watched: Watched = (window.watched = { asking: 0, inputAt: 0, paintedAt: 0, longTasks: [] })
  const fetchAsEver = window.fetch.bind(window)
  window.fetch = async (...args) => {
    const isSearch = String(args[0]).includes('library.find')
    if (isSearch) watched.asking += 1
    try {
      const response = await fetchAsEver(...args)
      const body = await response.clone().text()
      return new Response(body, response)
    } finally {
      // The answer is drawn in the next frame, and is on the screen when the one after begins.
      if (isSearch)
        requestAnimationFrame(() =>
          requestAnimationFrame((now) => {
            watched.paintedAt = now
            watched.asking -= 1
          })
        )
    }
  }
  addEventListener('keydown', () => (watched.inputAt = performance.now()), true)
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) watched.longTasks.push({ startTime, duration })
  }).observe({ type: 'longtask' })
}

/** Every search has been answered, and what it found was painted. */
const settled = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise<void>((done) => {
        const look = (quietFrames: number): void => {
          if (window.watched.asking > 0) return void requestAnimationFrame(() => look(0))
          if (quietFrames === 2) return done()
          requestAnimationFrame(() => look(quietFrames + 1))
        }
        requestAnimationFrame(() => look(0))
      })
  )

async function typed(page: Page, letter: string): Promise<number> {
  await page.getByRole('searchbox').press(letter === ' ' ? 'Space' : letter)
  await settled(page)
  return page.evaluate(() => window.watched.paintedAt - window.watched.inputAt)
}

/** By the wheel from the top to far down, and in leaps through all of it. */
async function scrolled(page: Page): Promise<number> {
  const start = await page.evaluate(() => performance.now())
  const box = await page.getByRole('grid').boundingBox()
  if (!box) throw new Error('there is no grid of boxes')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  for (let i = 0; i < 100; i++) await page.mouse.wheel(0, 400)
  await settled(page)
  for (let i = 1; i <= 20; i++) {
    await page
      .getByRole('grid')
      .evaluate((grid, share) => grid.scrollTo(0, grid.scrollHeight * share), i / 20)
    await settled(page)
  }
  const tasks = await page.evaluate(() => window.watched.longTasks)
  // Tasks are told of with a delay: those of the start may come last.
  return Math.max(0, ...tasks.filter(({ startTime }) => startTime >= start).map(({ duration }) => duration))
}
