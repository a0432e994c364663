import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { databaseFiles, openCatalogue } from '../../src-main/store/open.ts'

const pageSize = 8192

/** Ways in which disks, crashes and people damage a database file; each is done to the closed file of a catalogue. */
export const damages: Readonly<Record<string, (file: string) => void>> = {
  'garbage in its header': (file) => overwrite(file, 0, Buffer.alloc(100, 0x5a)),
  'a first page of zeros': (file) => overwrite(file, 0, Buffer.alloc(pageSize)),
  'garbage in its schema page': (file) => overwrite(file, 100, Buffer.alloc(600, 0xff)),
  'its end cut off': (file) => truncateSync(file, 3 * pageSize + 11),
  'all but a few bytes cut off': (file) => truncateSync(file, 50),
  'all of it cut off': (file) => truncateSync(file, 0),
  'another file in its place': (file) => writeFileSync(file, 'Dear diary, '.repeat(4000)),
  'its file gone': (file) => rmSync(file)
}

/** Damage in the middle: the file still opens, and only a full check or an unlucky read finds it. */
export function damageTable(dataDir: string, table: string): void {
  const db = openCatalogue(dataDir)
  const pages = db.prepare('SELECT pageno FROM dbstat WHERE name = ?').pluck().all(table) as number[]
  db.close()
  const page = pages.at(-1)
  if (page === undefined) throw new Error(`no pages of ${table}`)
  overwrite(databaseFiles(dataDir).catalogue, (page - 1) * pageSize, Buffer.alloc(pageSize, 0x5a))
}

export function overwrite(file: string, at: number, bytes: Buffer): void {
  const content = readFileSync(file)
  bytes.copy(content, at)
  writeFileSync(file, content)
}
