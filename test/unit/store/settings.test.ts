import { describe, expect, it } from 'vitest'
import { settingsTable } from '../../../src-main/store/settings.ts'
import { openTestCatalogue } from '../../support/access.ts'
import { tempDir } from '../../support/temp.ts'

describe('a setting', () => {
  it('is null until it is set, is seen by other processes, and can be forgotten', () => {
    const dataDir = tempDir()
    const [here, there] = [
      settingsTable(openTestCatalogue(dataDir)),
      settingsTable(openTestCatalogue(dataDir))
    ]
    expect(here.get('maintenance')).toBeNull()
    here.set('maintenance', true)
    here.set('owner', 7575)
    expect([there.get('maintenance'), there.get('owner')]).toEqual([true, 7575])
    there.set('maintenance', false)
    expect(here.get('maintenance')).toBe(false)
    here.set('owner', null)
    expect(there.get('owner')).toBeNull()
  })
})
