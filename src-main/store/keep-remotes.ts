import { listingTable, origins } from './listings.ts'
import type { Db } from './open.ts'

/** Rows about this machine and its remotes; each after those it points to. */
const ofMachine = ['remotes', 'remote_boxes', 'mirror_rules', 'transfers', 'transfer_steps'] as const

/** Rows about boxes of the catalogue that name a remote. */
const ofCatalogue = ['mirrored_boxes', 'known_images'] as const

/**
 * Gives a catalogue from another time or machine the remotes of this one, with all that is on its way to and from them.
 * Its mirrored boxes stay mirrors of those remotes that are here too, and the others become own ones. What this machine
 * had agreed on with a remote is kept only of boxes that are the same in both catalogues: of the others nobody could
 * tell what was changed by whom since.
 */
export function keepRemotes(here: Db, copy: Db): void {
  const sameAs = sameRemotes(here, copy)
  const mirrored = ofCatalogue.map((table) => ({ table, rows: rowsOf(copy, table) }))
  for (const table of ofMachine.toReversed()) copy.exec(`DELETE FROM ${table}`)
  for (const table of ofMachine) insertAll(copy, table, rowsOf(here, table))
  for (const { table, rows } of mirrored)
    insertAll(
      copy,
      table,
      rows
        .map((row) => ({ ...row, remote_id: sameAs.get(Number(row['remote_id'])) }))
        .filter((row) => row.remote_id !== undefined)
    )
  forgetWhatDiffers(copy)
  listOwnOnes(copy)
}

/** Search knows boxes as mirrors whose remote is not here. */
function listOwnOnes(copy: Db): void {
  const listings = listingTable(copy)
  const own = copy
    .prepare<[], number>(
      `SELECT box_id FROM listings WHERE origin <> ${origins.own} AND box_id NOT IN (SELECT box_id FROM mirrored_boxes)`
    )
    .pluck()
  for (const id of own.all()) listings.refresh(id)
}

type Row = Readonly<Record<string, unknown>>

/** From the number of a remote there to its number here, for those that are the same by what they say they are. */
function sameRemotes(here: Db, copy: Db): Map<number, number> {
  const there = copy.prepare<[], { id: number; kind: string; identity: string }>(
    'SELECT id, kind, identity FROM remotes'
  )
  const find = here
    .prepare<[string, string, number], number>(
      'SELECT id FROM remotes WHERE kind = ? AND identity = ? ORDER BY id = ? DESC, id LIMIT 1'
    )
    .pluck()
  const same = new Map<number, number>()
  for (const { id, kind, identity } of there.all()) {
    const found = find.get(kind, identity, id)
    if (found !== undefined) same.set(id, found)
  }
  return same
}

/** A base is good for the box it was made of. Without stamps the next look compares both sides anew. */
function forgetWhatDiffers(copy: Db): void {
  copy.exec(`
    UPDATE remote_boxes SET base = NULL, remote_stamp = NULL, local_stamp = NULL
    WHERE remote_stamp IS NULL OR local_stamp IS NOT (
      SELECT boxes.updated_at || '.' || boxes.revision
      FROM organizations JOIN boxes ON organization_id = organizations.id
      WHERE organizations.name_key = substr(tag_key, 1, instr(tag_key, '/') - 1)
        AND boxes.name_key = substr(tag_key, instr(tag_key, '/') + 1)
    );
    UPDATE remotes SET cursor = NULL;
  `)
}

const rowsOf = (db: Db, table: string): Row[] => db.prepare<[], Row>(`SELECT * FROM ${table}`).all()

function insertAll(db: Db, table: string, rows: readonly Row[]): void {
  const columns = Object.keys(rows[0] ?? {})
  if (columns.length === 0) return
  const put = db.prepare(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
  )
  for (const row of rows) put.run(...columns.map((column) => row[column]))
}
