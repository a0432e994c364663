import type { Log } from '../log.ts'
import type { Dialect } from './dialect.ts'
import type { Documents } from './documents.ts'
import type { RegistryLimits } from './options.ts'
import type { Presenter } from './presenter.ts'
import type { RegistryServices } from './services.ts'
import type { Transfers } from './transfers.ts'

/** What every resource's handlers work with. */
export interface Shared {
  readonly services: RegistryServices
  readonly documents: Documents
  readonly transfers: Transfers
  readonly limits: RegistryLimits
  readonly log: Log
}

/** The same, for one version of the API. */
export interface Api extends Shared {
  readonly dialect: Dialect
  readonly present: Presenter
}

/** Names in a path, already decoded. */
export interface BoxPath {
  readonly username: string
  readonly name: string
}

/** See BoxPath. */
export interface VersionPath extends BoxPath {
  readonly version: string
}

/** See BoxPath; without an architecture, the default one is meant. */
export interface ProviderPath extends VersionPath {
  readonly provider: string
  readonly architecture?: string
}
