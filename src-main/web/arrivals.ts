import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { z } from 'zod'
import { arrivalDraft, type Arrival, type ArrivalDraft } from '../contract/arrivals.ts'
import { Problem } from '../domain/problem.ts'

/** Takes the bytes of a file in; resolves once they are here and looked into. What is refused is a Problem. */
export type Receive = (
  id: string,
  fileName: string,
  bytes: Readable,
  more: {
    readonly length: number | null
    readonly draft: Partial<ArrivalDraft>
    /** Aborted when the page that sends is gone, or does not want to any more. */
    readonly signal: AbortSignal
  }
) => Promise<Arrival>

const uuid = z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
const draft = z
  .string()
  .max(8 * 1024)
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown
    } catch {
      context.addIssue('it is no JSON')
      return z.NEVER
    }
  })
  .pipe(arrivalDraft.partial())
const query = z.object({ name: z.string().min(1).max(1000), draft: draft.optional() })

/** A file that a page sends: who it is, from the address, and its bytes, as they come. */
export async function receiveArrival(
  receive: Receive,
  request: IncomingMessage,
  { params, search }: { readonly params: unknown; readonly search: unknown }
): Promise<Arrival> {
  const file = z.object({ id: uuid }).safeParse(params)
  const asked = query.safeParse(search)
  if (!file.success || !asked.success)
    throw new Problem('invalid', 'A file is sent under an id of its own and a name; reload the window.')
  const length = Number(request.headers['content-length'] ?? NaN)
  const gone = new AbortController()
  const onClose = (): void => {
    if (!request.complete) gone.abort()
  }
  request.once('close', onClose)
  try {
    return await receive(file.data.id, asked.data.name, request, {
      length: Number.isSafeInteger(length) ? length : null,
      draft: asked.data.draft ?? {},
      signal: gone.signal
    })
  } finally {
    request.off('close', onClose)
  }
}
