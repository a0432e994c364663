import { readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { AutomaticBackups } from '../../../../src-main/catalog/upkeep/automatic-backups.ts'
import { databaseFileFaults } from '../../../../src-main/store/integrity.ts'
import { databaseFiles, openCatalogue } from '../../../../src-main/store/open.ts'
import { damageBeforeOpening } from '../../../../src-main/store/repair.ts'
import { damageTable } from '../../../support/damage.ts'
import { rememberingLog } from '../../../support/registry.ts'
import { tempDir } from '../../../support/temp.ts'

const day = 24 * 60 * 60_000

function world() {
  const dataDir = tempDir()
  const db = openCatalogue(dataDir)
  const insert = db.prepare('INSERT INTO settings VALUES (?, 1)')
  db.transaction(() => {
    for (let i = 0; i < 3000; i++) insert.run(`key ${i}`)
  })()
  db.close()
  const clock = { now: Date.now() }
  const log = rememberingLog()
  const backups = new AutomaticBackups({ dataDir, log, now: () => clock.now })
  onTestFinished(() => backups.close())
  const folder = databaseFiles(dataDir).backups
  const files = (): string[] => readdirSync(folder).sort()
  /** Makes a copy, and has the file's time follow the clock of the test. */
  async function look(): Promise<void> {
    const before = new Set(dataDirHasBackups() ? files() : [])
    await backups.backUpIfDue()
    for (const file of files())
      if (!before.has(file)) utimesSync(join(folder, file), clock.now / 1000, clock.now / 1000)
  }
  const dataDirHasBackups = (): boolean => readdirSync(dataDir).includes('backups')
  return { dataDir, clock, log, backups, files, folder, look }
}

describe('automatic backups', () => {
  it('are made once a day, sound, and the three newest are kept', async () => {
    const { clock, log, files, folder, look } = world()
    await look()
    const [first = ''] = files()
    expect(databaseFileFaults(join(folder, first))).toEqual([])
    clock.now += day - 1000
    await look()
    expect(files()).toEqual([first])
    for (let i = 0; i < 4; i++) {
      clock.now += day
      await look()
    }
    expect(files()).toHaveLength(3)
    expect(files()).not.toContain(first)
    expect(log.lines).toEqual([])
  })

  it('of a damaged catalogue are not kept, drive no sound one out, and have the next start repair it', async () => {
    const { dataDir, clock, log, files, look } = world()
    await look()
    const before = files()
    damageTable(dataDir, 'settings')
    clock.now += 2 * day
    await look()
    expect(files()).toEqual(before)
    expect(log.lines.join('\n')).toMatch(/backup of the catalogue failed: .*(damaged|malformed)/)
    expect(damageBeforeOpening(dataDir, true)).not.toBeNull()
  })
})
