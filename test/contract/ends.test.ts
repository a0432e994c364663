import { afterAll, beforeAll, describe, onTestFinished } from 'vitest'
import { fsDriver } from '../../src-main/blobs/fs-driver.ts'
import { LocalEnd } from '../../src-main/remotes/ends/local/local-end.ts'
import { catalogWorld } from '../support/catalog.ts'
import { sampleRegistry, type SampleRegistry } from '../support/registry.ts'
import { anotherMake, httpEnd, v1Only } from '../support/remote-ends.ts'
import { tempDir } from '../support/temp.ts'
import { openFolder } from '../../src-main/remotes/ends/folder/open-folder.ts'
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
  endContract('HTTP, API v2 of another make', () => atRegistry(anotherMake, 'v2'), http)
  endContract('HTTP, API v1 alone', () => atRegistry(v1Only, 'v1'), http)

  const here = { resumesPut: true, opensAnywhere: true, hasCursor: true }
  endContract(
    'the catalogue here',
    async () => ({
      // Of its own: bytes that are in the store already are not asked for again.
      end: new LocalEnd(await catalogWorld(fsDriver)),
      organization: 'acme'
    }),
    here
  )

  endContract(
    'a folder',
    async () => {
      const { end } = await openFolder({ location: tempDir(), setUp: true }, new AbortController().signal)
      onTestFinished(() => end.close())
      return { end, organization: 'Acme' }
    },
    here
  )
})
