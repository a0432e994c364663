import type { LibraryQuery } from '../../../src-main/contract/library.ts'

/** A column of the table; those with a sort can order it. */
export interface Column {
  readonly id: 'tag' | 'description' | 'version' | 'marks' | 'images' | 'size' | 'downloads' | 'time'
  readonly label: string
  readonly sort?: LibraryQuery['sort']
  readonly right?: boolean
}

/** What the last column tells is when boxes were made while they are sorted by that, else when they changed. */
export const columnsFor = (sort: LibraryQuery['sort']): readonly Column[] => [
  { id: 'tag', label: 'Box', sort: 'name' },
  { id: 'description', label: 'Description' },
  { id: 'version', label: 'Version' },
  { id: 'marks', label: 'State' },
  { id: 'images', label: 'Providers' },
  { id: 'size', label: 'Size', sort: 'size', right: true },
  { id: 'downloads', label: 'Downloads', sort: 'downloads', right: true },
  sort === 'created'
    ? { id: 'time', label: 'Created', sort: 'created', right: true }
    : { id: 'time', label: 'Updated', sort: 'updated', right: true }
]

/** Every order there is, as a menu offers it. */
export const sorts: readonly { readonly value: LibraryQuery['sort']; readonly label: string }[] = [
  { value: 'name', label: 'Name' },
  { value: 'downloads', label: 'Downloads' },
  { value: 'created', label: 'Created' },
  { value: 'updated', label: 'Updated' },
  { value: 'size', label: 'Size' }
]
