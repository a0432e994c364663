import type { Role } from './words.ts'

export interface AccountRow {
  readonly name: string
  readonly email: string | null
  readonly isOwner: boolean
  readonly hasPassword: boolean
  readonly hasTwoFactor: boolean
  readonly createdAt: number
  readonly memberOf: readonly { readonly organization: string; readonly role: Role }[]
}

export interface OrganizationRow {
  readonly name: string
  readonly boxes: number
  readonly profile: string
  readonly createdAt: number
  readonly members: readonly { readonly user: string; readonly role: Role }[]
}

export interface TokenRow {
  readonly id: number
  readonly user: string
  readonly description: string
  readonly createdAt: number
  readonly lastUsedAt: number | null
}

/** A code somebody asked for instead of a text message, valid for a few minutes. */
export interface SignInCode {
  readonly user: string
  readonly code: string
  readonly expiresAt: number
}

/** Everything the Access place shows. */
export interface AccessView {
  readonly accounts: readonly AccountRow[]
  readonly organizations: readonly OrganizationRow[]
  readonly tokens: readonly TokenRow[]
  readonly codes: readonly SignInCode[]
}

/** A token just made: the only time its text is seen. */
export interface NewToken {
  readonly id: number
  readonly token: string
}

/** What an authenticator app has to be given, shown once. */
export interface TwoFactorSetup {
  readonly secret: string
  readonly url: string
}
