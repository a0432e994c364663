import { afterAll, beforeAll, describe } from 'vitest'
import { sampleRegistry, type SampleRegistry } from '../support/registry.ts'
import { httpEnd, v1Only } from '../support/remote-ends.ts'
import { endContract, type EndToTest } from './end.ts'

const { open } = sampleRegistry()

describe('every end', () => {
  let registry: SampleRegistry
  beforeAll(async () => {
    registry = await open()
  })
  afterAll(() => registry.close())

  let made = 0
  /** One registry does for all: each test has an organization of its own. */
  async function atRegistry(reach: (url: string) => Promise<string>, api: 'v1' | 'v2'): Promise<EndToTest> {
    const { url, app, tokens } = registry
    const organization = `own-${(made += 1)}`
    app.accounts.addOrganization(organization, 'owner')
    const { end, introduction } = await httpEnd(await reach(url), tokens.owner)
    if (introduction.api !== api) throw new Error(`reached as ${introduction.api}`)
    return { end, organization }
  }

  const http = { resumesPut: false, opensAnywhere: true, hasCursor: true }
  endContract('HTTP, API v2', () => atRegistry(async (url) => url, 'v2'), http)
  endContract('HTTP, API v1 alone', () => atRegistry(v1Only, 'v1'), http)
})
