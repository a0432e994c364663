import { setImmediate } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openCatalogue, type Db } from '../../../src-main/store/open.ts'
import { revisionOf, revisionPerTurn, untilChanged } from '../../../src-main/store/revision.ts'
import { tempDir } from '../../support/temp.ts'

function open(dataDir: string): Db {
  const db = openCatalogue(dataDir)
  onTestFinished(() => void db.close())
  return db
}

const user = "INSERT INTO users VALUES (1, 'a', 'a', NULL, NULL, NULL, NULL, NULL, 0, 0)"
const token = "INSERT INTO tokens VALUES (1, 1, 'hash', '', 0, NULL)"

describe('the revision of a database', () => {
  it('stays while nothing changes, however much is read', () => {
    const db = open(tempDir())
    const revision = revisionOf(db)
    const before = revision()
    db.prepare('SELECT * FROM users').all()
    db.prepare("UPDATE users SET name = 'x' WHERE id = 99").run()
    expect(revision()).toBe(before)
  })

  it.each([
    ['an insert', '', user],
    ['an update', user, "UPDATE users SET name = 'b'"],
    ['a delete', user, 'DELETE FROM users WHERE id = 1'],
    ['a delete of all rows', user, 'DELETE FROM users'],
    ['a table without row numbers', '', "INSERT INTO settings VALUES ('a', '1')"],
    ['an upsert', '', "INSERT INTO settings VALUES ('a', '1') ON CONFLICT (key) DO UPDATE SET value = '2'"]
  ])('changes with %s, made here or by another connection', (_what, first, change) => {
    const dataDir = tempDir()
    const here = open(dataDir)
    const there = open(dataDir)
    const revisions = [revisionOf(here), revisionOf(there)]
    here.exec(first)
    const before = revisions.map((revision) => revision())
    here.exec(change)
    revisions.forEach((revision, i) => expect(revision()).not.toBe(before[i]))
  })

  it('changes when a row goes because the one it belongs to went', () => {
    const db = open(tempDir())
    db.exec(`${user}; ${token}`)
    const own = db.prepare('SELECT total_changes()').pluck()
    const before = own.get() as number
    db.exec('DELETE FROM users WHERE id = 1')
    expect(own.get()).toBe(before + 2)
  })

  it('never repeats inside a transaction, which may be rolled back', () => {
    const db = open(tempDir())
    const revision = revisionOf(db)
    const seen: string[] = [revision()]
    expect(() =>
      db
        .transaction(() => {
          seen.push(revision())
          db.exec(user)
          seen.push(revision(), revision())
          throw new Error('no')
        })
        .immediate()
    ).toThrow('no')
    seen.push(revision())
    expect(new Set(seen).size).toBe(seen.length)
  })
})

describe('the revision of a turn', () => {
  it('shows own changes at once, and those of others from the next turn on', async () => {
    const dataDir = tempDir()
    const [db, other] = [open(dataDir), open(dataDir)]
    const revision = revisionPerTurn(db)
    const first = revision()
    db.exec(user)
    const second = revision()
    expect(second).not.toBe(first)
    other.exec(token)
    await setImmediate()
    expect(revision()).not.toBe(second)
  })

  it('is what a kept value is read again by', async () => {
    const dataDir = tempDir()
    const [db, other] = [open(dataDir), open(dataDir)]
    let reads = 0
    const kept = untilChanged(revisionPerTurn(db), () => (reads += 1))
    expect([kept(), kept()]).toEqual([1, 1])
    other.exec(user)
    await setImmediate()
    expect([kept(), kept()]).toEqual([2, 2])
  })
})
