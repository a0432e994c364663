import { z } from 'zod'
import { Problem } from '../domain/problem.ts'

/**
 * The fields of `{"box": {…}}`. Some clients leave the wrapper out for boxes: then any of `flatKeys` tells that the
 * fields are meant.
 */
export function unwrap(body: unknown, wrapper: string, flatKeys: readonly string[] = []): object {
  if (isRecord(body)) {
    const inner = Object.hasOwn(body, wrapper) ? body[wrapper] : undefined
    if (isRecord(inner)) return inner
    if (flatKeys.some((key) => Object.hasOwn(body, key))) return body
  }
  throw new Problem('invalid', `${wrapper} parameter is required!`)
}

/** An optional wrapper beside the required one; absent or null has no fields. */
export function unwrapOptional(body: unknown, wrapper: string): object {
  const inner = isRecord(body) && Object.hasOwn(body, wrapper) ? body[wrapper] : null
  if (inner === null) return {}
  if (isRecord(inner)) return inner
  throw new Problem('invalid', `The ${wrapper} parameter must hold fields.`)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Checks fields against a schema; every fault is one sentence of the refusal. */
export function check<T>(schema: z.ZodType<T>, fields: unknown): T {
  const result = schema.safeParse(fields)
  if (result.success) return result.data
  throw new Problem('invalid', ...new Set(result.error.issues.map(({ message }) => message)))
}

/** Text, or null for "leave it". */
const text = (what: string) =>
  z
    .string({ error: `${what} must be text.` })
    .nullish()
    .default(null)

const truths = new Map<unknown, boolean | null>([
  [true, true],
  ['true', true],
  ['1', true],
  [1, true],
  [false, false],
  ['false', false],
  ['0', false],
  [0, false],
  [null, null],
  [undefined, null],
  ['', null]
])

/** Yes or no as JSON and forms write them, or null for "leave it". */
const flag = (what: string) =>
  z
    .unknown()
    .optional()
    .transform((value, context): boolean | null => {
      const truth = truths.get(value)
      if (truth !== undefined) return truth
      context.addIssue({ code: 'custom', message: `${what} must be true or false.` })
      return z.NEVER
    })

export const boxKeys = ['username', 'name', 'short_description', 'description', 'is_private'] as const

export const boxFields = z
  .object({
    username: text('The username of a box'),
    name: text('The name of a box'),
    short_description: text('The short_description of a box'),
    description: text('The description of a box'),
    is_private: flag('The is_private of a box')
  })
  .transform((box) => ({
    organization: box.username,
    name: box.name,
    shortDescription: box.short_description,
    description: box.description,
    private: box.is_private
  }))

export const versionFields = z
  .object({
    version: text('The version number (in quotes, as "1.0.0")'),
    description: text('The description of a version')
  })
  .transform(({ version, description }) => ({ number: version, description }))

export const providerFields = z
  .object({
    name: text('The name of a provider'),
    url: text('The url of a provider'),
    checksum: text('The checksum of a provider'),
    checksum_type: text('The checksum_type of a provider'),
    architecture: text('The architecture of a provider'),
    default_architecture: flag('The default_architecture of a provider')
  })
  .transform((provider) => ({
    provider: provider.name,
    url: provider.url,
    checksum: provider.checksum,
    checksumType: provider.checksum_type,
    architecture: provider.architecture,
    isDefault: provider.default_architecture
  }))

export const signInFields = z.object({
  login: text('The login of the user').transform((login) => login ?? ''),
  password: text('The password of the user').transform((password) => password ?? '')
})

export const secondFactorFields = z.object({
  code: text('The two-factor code (in quotes)'),
  delivery_method: text('The delivery_method').transform((method) => method ?? '')
})

export const tokenFields = z.object({
  description: text('The description of a token').transform((description) => description ?? '')
})
