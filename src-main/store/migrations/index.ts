import { accounts } from './0001-accounts.ts'
import { catalogue } from './0002-catalogue.ts'
import { search } from './0003-search.ts'
import { library } from './0004-library.ts'
import { trash } from './0005-trash.ts'
import { arrivals } from './0006-arrivals.ts'
import { remotes } from './0007-remotes.ts'
import { boxRevisions } from './0008-box-revisions.ts'
import { stamps } from './0009-stamps.ts'
import { originOfListings } from './0010-origin-of-listings.ts'
import type { Migration } from './migration.ts'

export const migrations: readonly Migration[] = [
  accounts,
  catalogue,
  search,
  library,
  trash,
  arrivals,
  remotes,
  boxRevisions,
  stamps,
  originOfListings
]
