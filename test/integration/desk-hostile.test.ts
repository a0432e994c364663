import fc from 'fast-check'
import type { z } from 'zod'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deskMethods, type DeskMethod } from '../../src-main/contract/desk.ts'
import { startCore, type Core } from '../../src-main/core.ts'
import { rememberingLog } from '../support/registry.ts'

/** What people, clients and files might put into any text; some of it names what is there. */
const texts = [
  ...['', ' ', 'acme', 'base', 'ACME', '1.0.0', '1.0.0-rc1', '0', '-1', 'virtualbox', 'amd64', 'unknown'],
  ...['<b onclick=x>', '../../etc', '/', '\\', '%00', '\u0000', 'a\nb', "'; DROP TABLE boxes; --", '"', '*'],
  ...[
    '__proto__',
    'constructor',
    'é\u0301',
    '💥',
    '\uD800',
    '\u202E',
    'x'.repeat(1000),
    '{}',
    'http://[',
    'a:b'
  ]
]

/** Anything a schema of the contract lets through, most of it sensible to nobody. */
function anythingOf(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  const { def } = schema._zod
  switch (def.type) {
    case 'object': {
      const { shape } = def as z.core.$ZodObjectDef
      const optional = (field: z.core.$ZodType): boolean => field._zod.optin === 'optional'
      const fields = Object.entries(shape)
      return fc.record(Object.fromEntries(fields.map(([name, field]) => [name, anythingOf(field)])), {
        requiredKeys: fields.filter(([, field]) => !optional(field)).map(([name]) => name)
      })
    }
    case 'string':
      return fc.oneof(
        { weight: 5, arbitrary: fc.constantFrom(...texts) },
        { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 50 }) }
      )
    case 'number':
      return fc.oneof(
        fc.integer({ min: -1, max: 20 }),
        fc.constantFrom(2 ** 31, Number.MAX_SAFE_INTEGER, 0.5, -0)
      )
    case 'boolean':
      return fc.boolean()
    case 'enum':
      return fc.constantFrom(...Object.values((def as z.core.$ZodEnumDef).entries))
    case 'literal':
      return fc.constantFrom(...(def as z.core.$ZodLiteralDef<z.core.util.Literal>).values)
    case 'array':
      return fc.array(anythingOf((def as z.core.$ZodArrayDef).element), { maxLength: 4 })
    case 'nullable':
      return fc.option(anythingOf((def as z.core.$ZodNullableDef).innerType))
    case 'optional':
      return anythingOf((def as z.core.$ZodOptionalDef).innerType)
    case 'union':
      return fc.oneof(...(def as z.core.$ZodUnionDef).options.map(anythingOf))
    default:
      return fc.jsonValue({ maxDepth: 3 })
  }
}

/** These do what they are told to files anywhere on the machine, or to the machine. */
const notHere = (method: string): boolean =>
  method.startsWith('host.') || ['storage.start', 'arrivals.addPaths'].includes(method)

const methods = Object.keys(deskMethods).filter((method) => !notHere(method)) as DeskMethod[]

describe('whatever the interface may be led to ask', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'boxyard-test-'))
  const log = rememberingLog()
  let core: Core
  beforeAll(async () => {
    core = await startCore({ dataDir, log, owner: 'acme', fixed: { host: '127.0.0.1', port: 0 } })
    const box = { organization: 'acme', box: 'base' }
    const version = { ...box, version: '1.0.0' }
    await core.desk.call('box.create', { ...box, changes: {} })
    await core.desk.call('version.create', version)
    await core.desk.call('image.create', {
      ...{ ...version, provider: 'virtualbox', architecture: 'amd64' },
      changes: { url: 'http://elsewhere.example/base.box' }
    })
  })
  afterAll(async () => {
    await core.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  it.each(methods)('is answered or refused, and is no fault: %s', async (method) => {
    await fc.assert(
      fc.asyncProperty(anythingOf(deskMethods[method].payload), async (payload) => {
        const reply = await core.desk.call(method, payload)
        if (reply.ok) return
        expect(reply.refusal.kind, log.lines.at(-1)).not.toBe('fault')
        expect(reply.refusal.sentences.length).toBeGreaterThan(0)
      }),
      { numRuns: method.toLowerCase().includes('password') || method === 'access.addAccount' ? 15 : 60 }
    )
  })
})
