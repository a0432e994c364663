import { describe, expect, it, onTestFinished } from 'vitest'
import { Events } from '../../src-main/catalog/events.ts'
import { Problem } from '../../src-main/domain/problem.ts'
import { openCatalogue } from '../../src-main/store/open.ts'
import { makeAuthority, openSslMissing, serveSafely } from '../support/certificates.ts'
import { boxyard } from '../support/product.ts'
import { rememberingLog, sampleRegistry } from '../support/registry.ts'
import { remotesWith } from '../support/remotes.ts'
import { tempDir } from '../support/temp.ts'

const missing = openSslMissing()
if (missing !== null) console.log(`SKIPPED tests of certificates: ${missing}`)

const { start } = sampleRegistry()
const notAborted = new AbortController().signal

function remotesHere() {
  const log = rememberingLog()
  const db = openCatalogue(tempDir())
  const { remotes, connections, close } = remotesWith({ db, log, events: new Events({ log }) })
  onTestFinished(async () => {
    await close()
    db.close()
  })
  return { remotes, connections }
}

async function refusal(work: Promise<unknown>): Promise<Problem> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown
  )
  if (!(error instanceof Problem)) throw new Error('no refusal', { cause: error })
  return error
}

describe.skipIf(missing !== null)('a registry whose certificate nobody here knows', () => {
  it('is refused, and works with the certificate of its authority given', async () => {
    const registry = await start()
    const authority = makeAuthority()
    const location = await serveSafely(registry.url, authority.certify('127.0.0.1'))
    const token = registry.tokens.owner
    const { remotes, connections } = remotesHere()
    const { kind, message } = await refusal(remotes.add({ location, token }))
    expect(kind).toBe('invalid')
    expect(message).toMatch(/certificate/i)
    expect(await remotes.list()).toEqual([])

    const added = await remotes.add({ location, token, certificates: authority.pem })
    expect(added).toMatchObject({ hasCertificates: true, account: 'owner' })
    const { end } = await connections.open(added.id, notAborted)
    expect(await end.read({ organization: 'acme', name: 'tiny' }, notAborted)).not.toBeNull()
    await end.close()

    await refusal(remotes.change(added.id, { certificates: '' }))
    await refusal(remotes.change(added.id, { certificates: makeAuthority().pem }))
    expect((await remotes.read(added.id)).health).toBe('fine')
  })

  it.each([
    ['is for another host', 'elsewhere.example', 2],
    ['is over', '127.0.0.1', -1]
  ])('is refused though its authority is known when it %s', async (_, host, days) => {
    const registry = await start()
    const authority = makeAuthority()
    const location = await serveSafely(registry.url, authority.certify(host, days))
    const { message } = await refusal(remotesHere().remotes.add({ location, certificates: authority.pem }))
    expect(message).toMatch(/certificate/i)
  })

  it.each(['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'])(
    'works where %s names its authority',
    async (variable) => {
      const registry = await start()
      const authority = makeAuthority()
      const location = await serveSafely(registry.url, authority.certify('127.0.0.1'))
      const add = ['remote', 'add', location, '--data', tempDir(), '--json']
      await expect(boxyard(add)).rejects.toThrow(/certificate/i)
      const printed = await boxyard(add, { env: { [variable]: authority.file } })
      expect(JSON.parse(printed)).toMatchObject({ location, health: 'fine' })
    }
  )
})
