import { z } from 'zod'

/** A version starts unreleased, is released once, and may then be revoked, which is final. */
export const versionStatuses = ['unreleased', 'active', 'revoked'] as const
export type VersionStatus = (typeof versionStatuses)[number]

/** A number with a letter in it, or a "-": clients take it for a version before the one it looks like. */
export const isPrerelease = (number: string): boolean => /[A-Za-z-]/.test(number)

export const checksumTypes = ['md5', 'sha1', 'sha256', 'sha384', 'sha512'] as const
export type ChecksumType = (typeof checksumTypes)[number]

/** What a member of an organization may do there; each role includes the ones before it. */
export const roles = ['viewer', 'contributor', 'admin'] as const
export type Role = (typeof roles)[number]

/** Bounded so that nobody fills memory with a name; the rules for what a name may hold are the services'. */
export const name = z.string().max(1000)
export const text = z.string().max(1_000_000)

/** How often something is done by itself; null for only by hand. */
export const everyMinutes = z
  .number()
  .int()
  .min(1)
  .max(7 * 24 * 60)
  .nullable()

/** Names a box. */
export const boxRef = z.strictObject({ organization: name, box: name })
export type BoxRef = z.infer<typeof boxRef>

/** Names a version of a box. */
export const versionRef = boxRef.extend({ version: name })
export type VersionRef = z.infer<typeof versionRef>

/** Names an image of a version. */
export const imageRef = versionRef.extend({ provider: name, architecture: name })
export type ImageRef = z.infer<typeof imageRef>
