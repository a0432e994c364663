import { describe, expect, it } from 'vitest'
import { Preferences } from '../../../src-main/settings/preferences.ts'
import { settingsTable } from '../../../src-main/store/settings.ts'
import { openTestCatalogue } from '../../support/access.ts'
import { refusal } from '../../support/catalog.ts'

describe('preferences', () => {
  it('are read as they were written, whatever their keys are', () => {
    const preferences = new Preferences(openTestCatalogue())
    const written = { 'library.sort': { by: 'name' }, "k'ey %_*": [1, null], ü: 'x', owner: true }
    for (const [key, value] of Object.entries(written)) preferences.write(key, value)
    expect(preferences.read()).toEqual(written)
  })

  it('are written over, and forgotten with null', () => {
    const preferences = new Preferences(openTestCatalogue())
    preferences.write('a', 1)
    preferences.write('a', 2)
    preferences.write('b', 3)
    preferences.write('b', null)
    expect(preferences.read()).toEqual({ a: 2 })
  })

  it('are nothing to the settings of the product', () => {
    const db = openTestCatalogue()
    const settings = settingsTable(db)
    settings.set('maintenance', true)
    new Preferences(db).write('maintenance', false)
    expect(settings.get('maintenance')).toBe(true)
    expect(new Preferences(db).read()).toEqual({ maintenance: false })
  })

  it('are bounded in size and number', () => {
    const preferences = new Preferences(openTestCatalogue())
    refusal('invalid', () => preferences.write('big', 'ü'.repeat(32 * 1024)))
    preferences.write('big', 'ü'.repeat(32 * 1024 - 10))
    for (let at = 1; at < 100; at += 1) preferences.write(`key ${at}`, at)
    refusal('invalid', () => preferences.write('one more', 1))
    preferences.write('key 1', 'again')
    preferences.write('key 2', null)
    preferences.write('one more', 1)
    expect(Object.keys(preferences.read())).toHaveLength(100)
  })
  it.each([101, 3_000, 20_000])(
    'are not nested %i deep, which not everybody who reads them could',
    (depth) => {
      const nested = (deep: number): unknown => JSON.parse('['.repeat(deep) + ']'.repeat(deep))
      const preferences = new Preferences(openTestCatalogue())
      refusal('invalid', () => preferences.write('deep', nested(depth)))
      preferences.write('deep', nested(100))
      expect(preferences.read()).toEqual({ deep: nested(100) })
    }
  )
})
