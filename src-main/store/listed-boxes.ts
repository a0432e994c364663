import { tagKey } from '../domain/names.ts'

/** A box a remote lists, by its name here. */
export interface ListedBox {
  readonly organization: string
  readonly name: string
  readonly stamp: string | null
}

/** Many of them for one statement, which reads them with json_each: organization, name, key of the tag, stamp. */
export const listedJson = (listed: readonly ListedBox[]): string =>
  JSON.stringify(
    listed.map(({ organization, name, stamp }) => [organization, name, tagKey(organization, name), stamp])
  )
