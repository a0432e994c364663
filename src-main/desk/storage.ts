import type { Storage } from '../catalog/storage.ts'
import type { DiskUsage } from '../catalog/usage.ts'
import type { Jobs } from '../catalog/upkeep/jobs.ts'
import type { HandlersOf } from './handlers.ts'
import type { Hub } from './hub.ts'

interface Needs {
  readonly storage: Storage
  readonly usage: DiskUsage
  readonly jobs: Jobs
  readonly hub: Hub
}

export function storageHandlers({ storage, usage, jobs, hub }: Needs): HandlersOf<'storage'> {
  jobs.onChange((job) => {
    hub.emit({ name: 'job', data: job })
    // What a job changed, it changed from a thread of its own; after a restore everything is another.
    if (job.state !== 'running') hub.emit({ name: 'changed', data: { boxes: null } })
  })
  return {
    'storage.summary': () => storage.summary(),
    'storage.usage': async (node) => {
      const { name, bytes, shares } = await usage.of(node)
      return { name, bytes, children: shares }
    },
    'storage.previewCleanUp': ({ graceHours }) => jobs.previewCleanUp(graceHours),
    'storage.start': (request) => jobs.start(request),
    'storage.job': () => jobs.current,
    'storage.cancel': () => jobs.cancel()
  }
}
