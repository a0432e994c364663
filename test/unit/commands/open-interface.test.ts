import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { launches, openInterface, type Machine } from '../../../src-main/commands/open-interface.ts'
import { tempDir } from '../../support/temp.ts'

const address = 'http://127.0.0.1:4711/#token=abc'

/** A machine with these programs, each of which notes how it was started and ends as told. */
function machineWith(programs: Readonly<Record<string, number>>, over: Partial<Machine> = {}) {
  const folder = tempDir()
  const notes = join(folder, 'notes')
  writeFileSync(notes, '')
  for (const [name, exitCode] of Object.entries(programs)) {
    const file = join(folder, name)
    writeFileSync(file, `#!/bin/sh\necho "${name} $*" >> '${notes}'\nexit ${exitCode}\n`)
    chmodSync(file, 0o755)
  }
  const machine: Machine = {
    platform: 'linux',
    env: { PATH: folder, DISPLAY: ':0' },
    isRoot: false,
    ...over
  }
  return { machine, started: () => readFileSync(notes, 'utf8').trim().split('\n') }
}

const silent = (): void => {}

describe('opening the interface', () => {
  it('prefers a window of its own', async () => {
    const { machine, started } = machineWith({ chromium: 0, 'xdg-open': 0 })
    expect(await openInterface(address, silent, machine)).toBe(true)
    expect(started()).toEqual([`chromium --app=${address}`])
  })

  it("takes the system's browser where there is no such, or it does not start", async () => {
    const { machine, started } = machineWith({ 'brave-browser': 1, 'xdg-open': 0 })
    expect(await openInterface(address, silent, machine)).toBe(true)
    expect(started()).toEqual([`brave-browser --app=${address}`, `xdg-open ${address}`])
  })

  it('says when nothing could be opened', async () => {
    expect(await openInterface(address, silent, machineWith({}).machine)).toBe(false)
    expect(await openInterface(address, silent, machineWith({ 'xdg-open': 3 }).machine)).toBe(false)
  })

  it('says that a browser of root has no sandbox', async () => {
    const { machine, started } = machineWith({ chromium: 0 }, { isRoot: true })
    const said: string[] = []
    await openInterface(address, (sentence) => void said.push(sentence), machine)
    expect(started()).toEqual([`chromium --app=${address} --no-sandbox`])
    expect(said.join()).toContain('without its sandbox')
  })

  it('does not try where there is no screen', () => {
    const { machine } = machineWith({ chromium: 0, 'xdg-open': 0 })
    expect(launches(address, { ...machine, env: { PATH: machine.env['PATH'] } })).toEqual([])
  })

  it.each([
    ['darwin', { command: 'open', args: [address] }],
    ['win32', { command: 'cmd', args: ['/c', 'start', '""', address] }]
  ] as const)('can always fall back on what %s has', (platform, last) => {
    const { machine } = machineWith({}, { platform, env: {} })
    expect(launches(address, machine).at(-1)).toEqual(last)
  })
})
