import { describe, expect, it, onTestFinished } from 'vitest'
import { Storage } from '../../../src-main/catalog/storage.ts'
import { Jobs } from '../../../src-main/catalog/upkeep/jobs.ts'
import { DiskUsage } from '../../../src-main/catalog/usage.ts'
import type { DeskEvent } from '../../../src-main/contract/desk.ts'
import { Hub } from '../../../src-main/desk/hub.ts'
import { storageHandlers } from '../../../src-main/desk/storage.ts'
import { upkeepWorld } from '../../support/upkeep.ts'

async function world() {
  const made = await upkeepWorld()
  const usage = new DiskUsage(made.dataDir)
  const jobs = new Jobs(made)
  onTestFinished(async () => {
    await jobs.close()
    await usage.close()
  })
  const hub = new Hub(made.log)
  const events: DeskEvent[] = []
  hub.subscribe((event) => void events.push(event))
  const storage = new Storage({ dataDir: made.dataDir, usage })
  made.addBox()
  await made.addReleased('1.0.0', 'tiny', 'some bytes')
  return { ...made, jobs, events, desk: storageHandlers({ storage, usage, jobs, hub }) }
}

describe('storage at the window', () => {
  it('is shown as a picture and in figures', async () => {
    const { desk } = await world()
    expect(await desk['storage.usage']({ organization: null, box: null, version: null })).toEqual({
      name: '',
      bytes: 10,
      children: [{ name: 'acme', bytes: 10, count: 1 }]
    })
    expect(await desk['storage.summary']({})).toMatchObject({ files: 1, bytes: 10 })
    expect(await desk['storage.previewCleanUp']({ graceHours: 1 })).toMatchObject({ files: 0, items: [] })
  })

  it('is told of a job while it runs, and to read everything again when it has ended', async () => {
    const { desk, jobs, events } = await world()
    expect(await desk['storage.job']({})).toBeNull()
    expect(await desk['storage.start']({ job: 'verify' })).toMatchObject({ job: 'verify', state: 'running' })
    await jobs.settled()
    const states = events.flatMap((event) => (event.name === 'job' ? [event.data.state] : []))
    expect([states[0], states.at(-1)]).toEqual(['running', 'done'])
    expect(events.at(-1)).toEqual({ name: 'changed', data: { boxes: null } })
    expect(events.filter(({ name }) => name === 'changed')).toHaveLength(1)
    expect(await desk['storage.job']({})).toMatchObject({ state: 'done', problems: [] })
  })
})
