import type { BoxRow } from '../../../src-main/contract/library.ts'
import { ask } from '../../api.ts'
import { count, counted } from '../../app/format.ts'
import { live } from '../../app/live.svelte.ts'

/** Boxes of an organization whose names are like what was typed, and the one of exactly that name. */
export interface NearBoxes {
  readonly options: readonly { readonly value: string; readonly hint: string }[]
  readonly exact: BoxRow | undefined
}

const most = 20

/** To be called while a component is made. */
export function nearBoxes(organization: () => string, name: () => string): { readonly now: NearBoxes } {
  const find = (q: string, of: string): Promise<readonly BoxRow[]> =>
    ask('library.find', {
      query: {
        q,
        provider: null,
        architecture: null,
        organization: of,
        visibility: 'any',
        state: 'any',
        origin: 'any',
        sort: q === '' ? 'updated' : 'name',
        order: q === '' ? 'desc' : 'asc'
      },
      offset: 0,
      limit: most
    }).then(({ rows }) => rows)
  const found = live(() => find(name().trim(), organization()))
  const same = (row: BoxRow): boolean =>
    row.name.toLowerCase() === name().trim().toLowerCase() &&
    row.organization.toLowerCase() === organization().toLowerCase()
  const now = $derived({
    options: (found.value ?? []).map((row) => ({ value: row.name, hint: shortly(row) })),
    exact: found.value?.find(same)
  })
  return {
    get now() {
      return now
    }
  }
}

const shortly = ({ versions, currentVersion }: BoxRow): string =>
  currentVersion ?? (versions === 0 ? 'no versions' : counted(versions, 'version'))

/** "Has 12 versions; 1.3.0 is the newest released." */
export function historyOf({ versions, currentVersion }: BoxRow): string {
  if (versions === 0) return 'Is there, and has no versions yet.'
  if (currentVersion === null) return `Has ${counted(versions, 'version')}, none released.`
  return versions === 1
    ? `Has one version, ${currentVersion}.`
    : `Has ${count(versions)} versions up to ${currentVersion}.`
}
