import { describe, expect, it } from 'vitest'
import { Problem } from '../../../src-main/domain/problem.ts'
import { write } from '../../../src-main/store/write.ts'
import { openTestCatalogue } from '../../support/access.ts'

describe('write', () => {
  it('keeps all of a change or nothing', () => {
    const db = openTestCatalogue()
    const add = db.prepare("INSERT INTO settings VALUES (?, 'x')")
    expect(() => write(db, () => (add.run('a'), add.run('a')))).toThrow('UNIQUE')
    expect(write(db, () => add.run('b').changes)).toBe(1)
    expect(db.prepare('SELECT key FROM settings').pluck().all()).toEqual(['b'])
  })

  it('says that the disk is full when it is', () => {
    const db = openTestCatalogue()
    db.pragma(`max_page_count = ${db.pragma('page_count', { simple: true })}`)
    const fill = () =>
      write(db, () => db.prepare("INSERT INTO settings VALUES ('a', ?)").run('x'.repeat(100_000)))
    expect(fill).toThrow(Problem)
    expect(fill).toThrow(/The disk is full, so nothing was changed/)
    expect(db.prepare('SELECT key FROM settings').all()).toEqual([])
  })
})
