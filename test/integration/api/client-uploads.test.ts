import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { operator } from '../../../src-main/domain/model.ts'
import { sampleRegistry } from '../../support/registry.ts'

const sample = sampleRegistry()

it('an upload that is cancelled at the registry is refused in words its client can read', async () => {
  const { url, app } = await sample.start()
  const ref = {
    organization: 'acme',
    box: 'tiny',
    version: '1.1.0',
    provider: 'virtualbox',
    architecture: 'amd64'
  }
  const { id, key } = app.uploads.issue(operator, ref, 'simple')
  const begun = new Promise<string>((resolve) =>
    app.events.on('client-upload-changed', (event) => resolve(event.id))
  )
  const sending = request(`${url}/upload/${id}?key=${key}`, {
    method: 'PUT',
    headers: { 'content-length': 1_000_000 }
  })
  const answered = new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    sending.on('error', reject)
    sending.on('response', (response) => {
      text(response).then((body) => resolve({ status: response.statusCode, body }), reject)
    })
  })
  sending.write(Buffer.alloc(1000))
  const upload = await begun
  expect(app.clientUploads.list()).toMatchObject([
    { id: upload, what: 'acme/tiny 1.1.0 for virtualbox on amd64', size: 1_000_000 }
  ])
  app.clientUploads.cancel(upload)
  sending.write(Buffer.alloc(1000))
  const { status, body } = await answered
  expect(status).toBe(422)
  expect(JSON.parse(body)).toMatchObject({
    errors: ['The upload was cancelled at the registry, and nothing was changed.']
  })
  sending.destroy()
  expect(app.clientUploads.list()).toEqual([])
  expect(app.images.read(operator, ref).blob).toBeNull()
})
