import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Caller } from '../domain/model.ts'

/** An answer that can be asked for again: its bytes and what tells them apart from others. */
export interface Document {
  /** Bytes rather than text: turning text into them for every answer would cost more than all the rest of it. */
  readonly body: Buffer
  readonly etag: string
}

/**
 * Answers kept ready for as long as nothing in the database changes. Command line clients ask for the same few things
 * several times per command.
 */
export class Documents {
  readonly #kept: LRUCache<string, Document>
  readonly #revision: () => string
  #revisionKept = ''

  constructor(revision: () => string, maxBytes: number) {
    this.#revision = revision
    this.#kept = new LRUCache({
      maxSize: maxBytes,
      maxEntrySize: Math.ceil(maxBytes / 8),
      sizeCalculation: ({ body }, key) => body.length + 2 * key.length + 300
    })
  }

  /** `parts` must name everything the answer depends on, besides the database. */
  of(parts: readonly string[], make: () => unknown): Document {
    const revision = this.#revision()
    if (revision !== this.#revisionKept) {
      this.#kept.clear()
      this.#revisionKept = revision
    }
    const key = parts.join('\0')
    const kept = this.#kept.get(key)
    if (kept) return kept
    const body = Buffer.from(JSON.stringify(make()))
    const document = { body, etag: etagOf(body) }
    this.#kept.set(key, document)
    return document
  }
}

export const etagOf = (content: string | Buffer): string =>
  `"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`

/** What tells the answers to two callers apart, where they may see different things. */
export const scopeOf = (caller: Caller): string =>
  caller.kind === 'user' ? `user ${caller.id}` : caller.kind

/** Answers a document, or that the client has it already. */
export function sendDocument(request: FastifyRequest, reply: FastifyReply, document: Document): FastifyReply {
  return notModified(request, reply, document.etag)
    ? reply.code(304).send()
    : reply.header('content-type', jsonType).send(document.body)
}

export const jsonType = 'application/json; charset=utf-8'

/** Marks an answer as one to ask again for, and tells whether the client has this very one. */
export function notModified(request: FastifyRequest, reply: FastifyReply, etag: string): boolean {
  reply.headers({
    etag,
    'cache-control': 'private, no-cache',
    vary: 'Authorization, X-Atlas-Token, X-Service-Token, User-Agent'
  })
  return matches(request.raw.headers['if-none-match'], etag)
}

/** Whether an If-None-Match header names this ETag; weak ones count too, as HTTP says for this header. */
export function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.split(',').some((each) => each.trim() === '*' || each.trim().replace(/^W\//, '') === etag)
}
