import type { BoxRow, LibraryQuery } from '../../../src-main/contract/library.ts'
import { ask } from '../../api.ts'
import { PagedRows } from '../../app/paged-rows.svelte.ts'

/** The boxes a query of the library finds, read as they come into sight. */
export const foundBoxes = (): PagedRows<LibraryQuery, BoxRow> =>
  new PagedRows((query, offset, limit) => ask('library.find', { query, offset, limit }))
