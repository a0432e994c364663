import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openTestCatalogue } from '../support/access.ts'
import { tempDir } from '../support/temp.ts'

const cli = resolve(import.meta.dirname, '../../src-main/cli.ts')
const execute = promisify(execFile)

async function run(dataDir: string, ...args: string[]): Promise<string> {
  return (await execute(process.execPath, [cli, ...args, '--data', dataDir])).stdout
}

interface FoundBox {
  readonly tag: string
  readonly downloads: number
  readonly private: boolean
  readonly images: readonly { provider: string; architecture: string }[]
}
const find = async (dataDir: string, ...args: string[]): Promise<FoundBox[]> =>
  JSON.parse(await run(dataDir, 'search', ...args, '--json')) as FoundBox[]

describe('boxyard demo and search', () => {
  it('make boxes and find them, page by page, private ones included', async () => {
    const dataDir = tempDir()
    expect(await run(dataDir, 'demo', '--boxes', '400', '--seed', '3')).toMatch(
      /^Made 400 boxes \(\d+ of them private\)/
    )
    const pages = await Promise.all(
      ['1', '2', '3', '4', '5'].map((page) =>
        find(dataDir, '--origin', 'own', '--limit', '100', '--page', page)
      )
    )
    const all = pages.flat()
    expect(new Set(all.map((box) => box.tag)).size).toBe(all.length)
    expect(all.length).toBeGreaterThan(300)
    expect(all.some((box) => box.private)).toBe(true)
    expect(all.map((box) => box.downloads)).toEqual(all.map((box) => box.downloads).sort((a, b) => b - a))

    const some = await find(dataDir, 'ubuntu', 'DOCK')
    expect(some.length).toBeGreaterThan(0)
    expect(await run(dataDir, 'search', 'ubuntu', 'DOCK')).toContain(some[0]?.tag)
    expect(await run(dataDir, 'search', '--origin', 'mirrored')).toBe('No boxes found.\n')
  })

  it('add to a folder that another process has open and writes to', async () => {
    const dataDir = tempDir()
    const db = openTestCatalogue(dataDir)
    const adding = run(dataDir, 'demo', '--boxes', '300')
    let finished = false
    adding.finally(() => (finished = true)).catch(() => {}) // heard below
    const write = db.prepare("INSERT OR REPLACE INTO settings VALUES ('here', ?)")
    for (let n = 0; !finished; n++) {
      write.run(String(n))
      // As a busy server writes. Without a pause the lock would hardly ever be free when the other looks.
      await setTimeout(10)
    }
    expect(await adding).toContain('Made 300 boxes')
    expect(db.prepare('SELECT count(*) FROM boxes').pluck().get()).toBe(300)
  })
})
