import type { Person } from '../../support/registry.ts'

/** One request and what its answer must be. */
export interface Step {
  /** "METHOD /path"; `:v` is the version of the API, `:arch` the segment "/amd64" in v2 and nothing in v1, `{x}` what an earlier step saved. */
  readonly send: string
  /** Whose token is sent; nobody's without it. */
  readonly as?: Person | 'wrong token'
  readonly headers?: Readonly<Record<string, string>>
  /** An object is sent as JSON, text as it is. */
  readonly body?: object | string | Buffer
  readonly status: number
  /** Fields of the JSON answered, and texts anywhere in the answer. */
  readonly json?: unknown
  readonly has?: readonly string[]
  readonly hasNot?: readonly string[]
  /** Header name → its value, or a pattern of it; null: must not be there. */
  readonly answers?: Readonly<Record<string, string | RegExp | null>>
  /** Keeps fields of the JSON answered, by dotted path, for later steps. */
  readonly save?: Readonly<Record<string, string>>
}

/** A rule of the API, and the requests that would break were it missed. */
export type Scenario = {
  readonly name: string
  readonly in?: 'v1' | 'v2'
  /** Needs a server nobody has asked before; those that change something have one anyhow. */
  readonly alone?: true
} & (Step | { readonly steps: readonly Step[] })
