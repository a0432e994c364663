import { describe, expect, it } from 'vitest'
import type { Settings } from '../../../src-main/contract/settings.ts'
import { defaultSettings, PersonSettings } from '../../../src-main/settings/settings.ts'
import { settingsTable } from '../../../src-main/store/settings.ts'
import { openTestCatalogue } from '../../support/access.ts'
import { refusal } from '../../support/catalog.ts'
import { rememberingLog } from '../../support/registry.ts'
import { tempDir } from '../../support/temp.ts'

function world() {
  const dataDir = tempDir()
  const log = rememberingLog()
  const open = () => {
    const db = openTestCatalogue(dataDir)
    return { table: settingsTable(db), settings: new PersonSettings(db, log) }
  }
  return { log, open, ...open() }
}

describe('settings', () => {
  it('are the defaults until somebody says otherwise', () => {
    expect(world().settings.read()).toEqual(defaultSettings)
  })

  it('keep what was changed, and leave the rest', () => {
    const { settings, open } = world()
    settings.change({ port: 8080, appearance: 'dark' })
    settings.change({ shareOnLan: true, appearance: undefined })
    const expected = { ...defaultSettings, port: 8080, appearance: 'dark', shareOnLan: true }
    expect(settings.read()).toEqual(expected)
    expect(open().settings.read()).toEqual(expected)
  })

  it('keep nothing that is as it is by default, so that another default reaches everybody else', () => {
    const { settings, table } = world()
    settings.change({ port: 8080, graceHours: 5 })
    settings.change({ port: defaultSettings.port })
    expect(table.get('person')).toEqual({ graceHours: 5 })
  })

  it('fall back on the default for each one that another version left and this one cannot use', () => {
    const { table, open } = world()
    table.set('person', { port: 'eighty', appearance: 'sepia', graceHours: 5, unheardOf: true })
    expect(open().settings.read()).toEqual({ ...defaultSettings, graceHours: 5 })
    table.set('person', null)
    expect(open().settings.read()).toEqual(defaultSettings)
  })

  it.each(['', '<b>', 'a b', 'http://lab', 'lab/x', 'ü.example', 'lab:port', '*'])(
    'refuse %j as a name of the server, and change nothing then',
    (name) => {
      const { settings } = world()
      const sentences = refusal('invalid', () => settings.change({ allowedHosts: ['lab', name], port: 8080 }))
      expect(sentences.join()).toContain(`"${name}"`)
      expect(settings.read()).toEqual(defaultSettings)
    }
  )

  it.each(['lab', 'Lab.Example', 'lab:8080', '192.168.1.5', '[fe80::1]', 'my_lab-2'])(
    'take %s as a name of the server',
    (name) => {
      expect(world().settings.change({ allowedHosts: [name] }).allowedHosts).toEqual([name])
    }
  )
})

describe('listeners to settings', () => {
  it('are told what is and what was, once for a change and not for none', () => {
    const { settings } = world()
    const told: [Settings, Settings][] = []
    const end = settings.onChange((now, before) => void told.push([now, before]))
    settings.change({ graceHours: 5 })
    settings.change({ graceHours: 5 })
    settings.change({})
    expect(told).toEqual([[{ ...defaultSettings, graceHours: 5 }, defaultSettings]])
    end()
    settings.change({ graceHours: 6 })
    expect(told).toHaveLength(1)
  })

  it('are told of what another process changed, once it is looked at', () => {
    const { settings, open } = world()
    const told: number[] = []
    settings.onChange(({ graceHours }) => void told.push(graceHours))
    open().settings.change({ graceHours: 7 })
    expect(settings.read().graceHours).toBe(defaultSettings.graceHours)
    expect(settings.look().graceHours).toBe(7)
    expect(told).toEqual([7])
  })

  it('change on top of what another process changed', () => {
    const { settings, open } = world()
    open().settings.change({ graceHours: 7 })
    expect(settings.change({ port: 8080 })).toMatchObject({ graceHours: 7, port: 8080 })
  })

  it('that fail keep nobody else from being told', () => {
    const { settings, log } = world()
    const told: number[] = []
    settings.onChange(() => {
      throw new Error('broken')
    })
    settings.onChange(({ graceHours }) => void told.push(graceHours))
    settings.change({ graceHours: 5 })
    expect(told).toEqual([5])
    expect(log.lines.join()).toContain('broken')
  })
})
