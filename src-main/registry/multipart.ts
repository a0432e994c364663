import type { Readable } from 'node:stream'
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import { Problem } from '../domain/problem.ts'

/**
 * Hands the first file of a form to `receive`, as it arrives, and resolves once it has been received and the form has
 * come to its end; everything else in it is passed over.
 */
export async function receiveFirstFile(
  body: Readable,
  contentType: string,
  receive: (file: Readable) => Promise<void>
): Promise<void> {
  const form = openForm(contentType)
  let received: Promise<void> | null = null
  const ended = new Promise<void>((resolve, reject) => {
    form.on('file', (_field, file) => {
      if (received) return void file.resume()
      received = receive(file)
      received.catch(reject)
    })
    form.on('finish', resolve)
    form.on('error', () => reject(brokenForm()))
    body.on('error', reject)
    body.pipe(form)
  })
  try {
    await ended
  } finally {
    body.unpipe(form)
    form.destroy()
  }
  if (!received) throw new Problem('invalid', 'The form holds no file; attach the box file to it.')
  await received
}

function openForm(contentType: string): BusboyInstance {
  try {
    const headers: BusboyHeaders = { 'content-type': contentType }
    return new Busboy({ headers, limits: { fields: 20, fieldSize: 4096, parts: 30, headerPairs: 50 } })
  } catch {
    throw brokenForm()
  }
}

const brokenForm = (): Problem =>
  new Problem(
    'invalid',
    'The form is not valid multipart/form-data or broke off before its end; send it again.'
  )
