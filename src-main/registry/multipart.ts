import type { Readable } from 'node:stream'
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import { Problem } from '../domain/problem.ts'

/** The one file of a form that is wanted, and what becomes of it. */
interface FirstFile {
  readonly bytes: Readable
  readonly received: Promise<void>
}

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
  let first: FirstFile | null = null
  try {
    await new Promise<void>((resolve, reject) => {
      form.on('file', (_field, bytes) => {
        // The parser tells an open file of its own failures, whether or not anybody listens yet.
        bytes.on('error', () => reject(brokenForm()))
        if (first) return void bytes.resume()
        first = { bytes, received: receive(bytes) }
        first.received.catch(reject)
      })
      form.on('finish', resolve)
      form.on('error', () => reject(brokenForm()))
      body.on('error', () => reject(brokenForm()))
      body.pipe(form)
    })
    if (!first) throw new Problem('invalid', 'The form holds no file; attach the box file to it.')
    await (first as FirstFile).received
  } catch (error) {
    body.unpipe(form)
    await giveUp(first, error)
    throw error
  }
}

/** What reads the file must not wait for the rest of it for ever. */
async function giveUp(first: FirstFile | null, error: unknown): Promise<void> {
  first?.bytes.destroy(error instanceof Error ? error : brokenForm())
  await first?.received.catch(() => {})
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
