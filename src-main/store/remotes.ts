import type { RemoteHealth } from '../contract/remotes.ts'
import type { Standing } from '../contract/standings.ts'
import { isObject, isTexts, jsonOf } from './json-column.ts'
import type { Db } from './open.ts'

/** A remote as it is kept. Its token is elsewhere; the row knows only under what name. */
export interface RemoteRow {
  readonly id: number
  readonly name: string
  readonly kind: 'http' | 'folder'
  readonly location: string
  readonly api: 'v1' | 'v2' | null
  readonly identity: string
  readonly account: string | null
  readonly organizations: readonly string[]
  readonly organizationMap: Readonly<Record<string, string>>
  readonly allowPlainHttp: boolean
  readonly certificates: string | null
  readonly tokenName: string | null
  readonly checkMinutes: number | null
  readonly health: RemoteHealth
  readonly healthNote: string | null
  readonly checkedAt: number | null
  readonly createdAt: number
}

/** What of a remote can be another later. */
export type RemoteRowChanges = Partial<Omit<RemoteRow, 'id' | 'kind' | 'createdAt'>>

type Stored = Omit<RemoteRow, 'organizations' | 'organizationMap' | 'allowPlainHttp'> & {
  readonly organizations: string
  readonly organizationMap: string
  readonly allowPlainHttp: 0 | 1
}

/** Columns by the names rows have here; all but the id. */
const columns = {
  name: 'name',
  kind: 'kind',
  location: 'location',
  api: 'api',
  identity: 'identity',
  account: 'account',
  organizations: 'organizations',
  organizationMap: 'organization_map',
  allowPlainHttp: 'allow_plain_http',
  certificates: 'certificates',
  tokenName: 'token_name',
  checkMinutes: 'check_minutes',
  health: 'health',
  healthNote: 'health_note',
  checkedAt: 'checked_at',
  createdAt: 'created_at'
} as const
type Column = keyof typeof columns

export function remoteTable(db: Db) {
  const select = `SELECT id, ${Object.entries(columns)
    .map(([key, column]) => `${column} AS ${key}`)
    .join(', ')} FROM remotes`
  const all = db.prepare<[], Stored>(`${select} ORDER BY name_key`)
  const one = db.prepare<[number], Stored>(`${select} WHERE id = ?`)
  const byKey = db.prepare<[string], Stored>(`${select} WHERE name_key = ?`)
  const remove = db.prepare<[number]>('DELETE FROM remotes WHERE id = ?')
  const standings = db.prepare<[], { id: number; standing: Standing; count: number }>(
    'SELECT remote_id AS id, standing, count(*) AS count FROM remote_boxes GROUP BY remote_id, standing'
  )
  const forgetBoxes = db.prepare<[number]>('DELETE FROM remote_boxes WHERE remote_id = ?')
  const forgetCursor = db.prepare<[number]>('UPDATE remotes SET cursor = NULL WHERE id = ?')
  const organizations = db
    .prepare<[number], string>('SELECT DISTINCT organization FROM remote_boxes WHERE remote_id = ?')
    .pluck()
  const forgetOrganization = db.prepare<[number, string]>(
    'DELETE FROM remote_boxes WHERE remote_id = ? AND organization = ?'
  )
  const forgetAll = db.transaction((id: number) => {
    forgetBoxes.run(id)
    forgetCursor.run(id)
  })

  return {
    /** By name. */
    all: (): RemoteRow[] => all.all().map(rowOf),
    find: (id: number): RemoteRow | null => rowOrNull(one.get(id)),
    findByKey: (key: string): RemoteRow | null => rowOrNull(byKey.get(key)),
    /** The new one's id. `key` is the form names are compared in. */
    insert(row: Omit<RemoteRow, 'id'>, key: string): number {
      const keys = Object.keys(columns) as Column[]
      const statement = db.prepare(
        `INSERT INTO remotes (name_key, ${keys.map((name) => columns[name]).join(', ')})
         VALUES (:key, ${keys.map((name) => `:${name}`).join(', ')})`
      )
      return Number(statement.run({ ...stored(row), key }).lastInsertRowid)
    },
    /** False when there is no such remote. A new name comes with its key. */
    change(id: number, changes: RemoteRowChanges, key?: string): boolean {
      const keys = Object.keys(changes) as Column[]
      const sets = keys.map((name) => `${columns[name]} = :${name}`)
      if (key !== undefined) sets.push('name_key = :key')
      if (sets.length === 0) return one.get(id) !== undefined
      const statement = db.prepare(`UPDATE remotes SET ${sets.join(', ')} WHERE id = :id`)
      return statement.run({ ...stored(changes), id, ...(key !== undefined && { key }) }).changes === 1
    },
    remove: (id: number): boolean => remove.run(id).changes === 1,
    /** How many boxes stand how, by remote. */
    standings(): ReadonlyMap<number, Partial<Record<Standing, number>>> {
      const found = new Map<number, Partial<Record<Standing, number>>>()
      for (const { id, standing, count } of standings.all())
        found.set(id, { ...found.get(id), [standing]: count })
      return found
    },
    /** Forgets what was agreed with it and seen of it. */
    forgetBoxes: (id: number): void => forgetAll(id),
    /** Of those organizations alone, as they are called here. */
    forgetOrganizations(id: number, which: (organization: string) => boolean): void {
      for (const organization of organizations.all(id))
        if (which(organization)) forgetOrganization.run(id, organization)
      forgetCursor.run(id)
    }
  }
}

export type RemoteTable = ReturnType<typeof remoteTable>

function rowOf(row: Stored): RemoteRow {
  const map = jsonOf<Record<string, string> | null>(row.organizationMap, null, isMap)
  return {
    ...row,
    organizations: jsonOf<string[]>(row.organizations, [], isTexts),
    organizationMap: map ?? {},
    // Under other names boxes would go to others: nothing is done there until the person has looked at it.
    identity: map ? row.identity : 'nobody',
    allowPlainHttp: row.allowPlainHttp === 1
  }
}

const isMap = (value: unknown): boolean => isObject(value) && isTexts(Object.values(value))

const rowOrNull = (row: Stored | undefined): RemoteRow | null => (row ? rowOf(row) : null)

/** As the database takes them: no objects, no truth values. */
const stored = (row: RemoteRowChanges): Record<string, string | number | null> =>
  Object.fromEntries(
    Object.entries(row).map(([key, value]) => [
      key,
      typeof value === 'boolean'
        ? Number(value)
        : value !== null && typeof value === 'object'
          ? JSON.stringify(value)
          : value
    ])
  )
