import { deskMethods, type Answer, type DeskMethod, type Refusal, type Reply } from '../contract/desk.ts'
import { Problem } from '../domain/problem.ts'
import type { Log } from '../log.ts'
import { RemoteFailure } from '../remotes/failure.ts'
import { asProblem } from '../remotes/problems.ts'
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
    const parsed = parse(method, payload)
    if ('sentences' in parsed) return refused({ kind: 'invalid', sentences: parsed.sentences })
    const handle = this.#handlers[method] as (payload: unknown) => Promise<Answer<DeskMethod>>
    return this.reply(method, async () => handle(parsed.value))
  }

  /** What became of some work, as transports carry it back. */
  async reply<M extends DeskMethod>(name: string, work: () => Promise<Answer<M>>): Promise<Reply<M>> {
    try {
      return { ok: true, value: await work() }
    } catch (error) {
      return { ok: false, refusal: this.#refusalOf(name, error) }
    }
  }

  #refusalOf(name: string, thrown: unknown): Refusal {
    const error = thrown instanceof RemoteFailure ? asProblem(thrown) : thrown
    if (error instanceof Problem) return { kind: error.kind, sentences: error.sentences }
    this.#log.error(`${name} failed`, error)
    return {
      kind: 'fault',
      sentences: ['This did not work because of a fault in the program; its log says more.']
    }
  }
}

const refused = (refusal: Refusal): Reply => ({ ok: false, refusal })

const isMethod = (method: unknown): method is DeskMethod =>
  typeof method === 'string' && Object.hasOwn(deskMethods, method)

/** What is said of a payload that is wrong in every place would be larger than the payload. */
const mostSentences = 10
const longestSentence = 200

function parse(
  method: DeskMethod,
  payload: unknown
): { readonly value: unknown } | { readonly sentences: readonly string[] } {
  try {
    const { success, data, error } = deskMethods[method].payload.safeParse(payload)
    if (success) return { value: data }
    return { sentences: error.issues.slice(0, mostSentences).map(sentenceOf) }
  } catch (error) {
    if (error instanceof RangeError) return { sentences: ['This is nested too deeply.'] }
    throw error
  }
}

function sentenceOf({ path, message }: { path: PropertyKey[]; message: string }): string {
  const what = path.length === 0 ? message : `${path.join('.')}: ${message}`
  return what.length > longestSentence ? `${what.slice(0, longestSentence)}….` : `${what}.`
}
