import { deskMethods, type Answer, type DeskMethod, type Refusal, type Reply } from '../contract/desk.ts'
import { Problem } from '../domain/problem.ts'
import type { Log } from '../log.ts'
import type { Handlers } from './handlers.ts'
import type { Hub } from './hub.ts'

/** The interface's side of the product: transports bring it calls and carry its events away. */
export class Desk {
  readonly hub: Hub
  readonly #handlers: Handlers
  readonly #log: Log

  constructor({ handlers, hub, log }: { handlers: Handlers; hub: Hub; log: Log }) {
    this.#handlers = handlers
    this.hub = hub
    this.#log = log
  }

  /** Never throws: whatever goes wrong is a reply. Method and payload may be anything at all. */
  async call(method: unknown, payload: unknown): Promise<Reply> {
    if (!isMethod(method))
      return refused({ kind: 'missing', sentences: ['The program has no such function; reload the window.'] })
    const parsed = deskMethods[method].payload.safeParse(payload)
    if (!parsed.success) return refused({ kind: 'invalid', sentences: parsed.error.issues.map(sentenceOf) })
    try {
      const handle = this.#handlers[method] as ((payload: unknown) => Promise<Answer<DeskMethod>>) | undefined
      if (!handle) throw new Problem('unavailable', 'Not written yet.')
      return { ok: true, value: await handle(parsed.data) }
    } catch (error) {
      return refused(this.#refusalOf(method, error))
    }
  }

  #refusalOf(method: DeskMethod, error: unknown): Refusal {
    if (error instanceof Problem) return { kind: error.kind, sentences: error.sentences }
    this.#log.error(`${method} failed`, error)
    return {
      kind: 'fault',
      sentences: ['This did not work because of a fault in the program; its log says more.']
    }
  }
}

const refused = (refusal: Refusal): Reply => ({ ok: false, refusal })

const isMethod = (method: unknown): method is DeskMethod =>
  typeof method === 'string' && Object.hasOwn(deskMethods, method)

const sentenceOf = ({ path, message }: { path: PropertyKey[]; message: string }): string =>
  path.length === 0 ? `${message}.` : `${path.join('.')}: ${message}.`
