/** Draws resources/*.png from the drawings beside them, with a Chromium; to be run by hand when a drawing changed. */
import { readFileSync } from 'node:fs'
import { chromium as playwright } from '@playwright/test'
import { chromium } from './desktop-runtime.mjs'
import { inRoot } from './paths.mjs'

/** What electron-builder, the window, the tray and a dragged box file need. */
const pictures = [
  ...[16, 24, 32, 48, 64, 128, 256, 512, 1024].map((size) => ['icon', `icons/${size}x${size}.png`, size]),
  ['icon', 'icon.png', 512],
  ['tray', 'tray.png', 22],
  ['tray', 'tray@2x.png', 44],
  ['box', 'box.png', 64]
]

const browser = await playwright.launch({ executablePath: chromium(), args: ['--no-sandbox'] })
try {
  const page = await browser.newPage({ deviceScaleFactor: 1 })
  for (const [drawing, file, size] of pictures) {
    await page.setViewportSize({ width: size, height: size })
    const svg = readFileSync(inRoot('resources', `${drawing}.svg`), 'utf8')
    await page.setContent(
      `<style>body{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${svg}`
    )
    await page.screenshot({ path: inRoot('resources', file), omitBackground: true })
  }
} finally {
  await browser.close()
}
