/** One numbered step of the schema. A step that has been released is never edited; a later one mends it. */
export interface Migration {
  readonly number: number
  readonly name: string
  readonly sql: string
}
