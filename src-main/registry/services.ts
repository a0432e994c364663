import type { Accounts } from '../access/accounts.ts'
import type { Authentication } from '../access/authentication.ts'
import type { Permissions } from '../access/permissions.ts'
import type { SignIn } from '../access/sign-in.ts'
import type { Tokens } from '../access/tokens.ts'
import type { BlobDriver } from '../blobs/driver.ts'
import type { Boxes } from '../catalog/boxes.ts'
import type { Downloads } from '../catalog/downloads.ts'
import type { Images } from '../catalog/images.ts'
import type { Search } from '../catalog/search.ts'
import type { Uploads } from '../catalog/uploads.ts'
import type { Versions } from '../catalog/versions.ts'

/** All that the HTTP API needs of the product, and nothing more: where it can be broken from below is seen here. */
export interface RegistryServices {
  readonly authentication: Pick<Authentication, 'callerFor'>
  readonly signIn: Pick<SignIn, 'signIn' | 'requestCode'>
  readonly tokens: Pick<Tokens, 'revokeByValue'>
  readonly accounts: Pick<Accounts, 'findOrganization' | 'organizationsOf' | 'registryId'>
  readonly permissions: Pick<Permissions, 'roleIn'>
  readonly boxes: Pick<
    Boxes,
    'read' | 'catalogue' | 'create' | 'update' | 'remove' | 'pagesOf' | 'stampPagesOf' | 'byIds'
  >
  readonly versions: Pick<Versions, 'read' | 'create' | 'update' | 'remove' | 'release' | 'revoke'>
  readonly images: Pick<Images, 'read' | 'create' | 'update' | 'remove'>
  readonly uploads: Pick<Uploads, 'issue' | 'receive' | 'finish'>
  readonly downloads: Pick<Downloads, 'locate' | 'count'>
  readonly search: Pick<Search, 'find'>
  readonly blobs: Pick<BlobDriver, 'size' | 'copyTo'>
  /** Another text whenever anything in the database has changed. */
  readonly revision: () => string
}
