import { describe, expect, it } from 'vitest'
import { Problem } from '../../../src-main/domain/problem.ts'
import { write, writeLightly } from '../../../src-main/store/write.ts'
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

describe('writeLightly', () => {
  it.each([
    ['what is saved', () => 0],
    ['what fails', () => expect.fail('it did')]
  ])('waits for the disk again after %s', (_, end) => {
    const db = openTestCatalogue()
    const synchronous = (): unknown => db.pragma('synchronous', { simple: true })
    db.pragma('synchronous = FULL')
    const waiting = synchronous()
    let meanwhile: unknown
    try {
      writeLightly(db, () => {
        meanwhile = synchronous()
        db.prepare("INSERT INTO settings VALUES ('a', 'x')").run()
        end()
      })
    } catch {
      expect(db.prepare('SELECT key FROM settings').all()).toEqual([])
    }
    expect(meanwhile).toBe(1)
    expect(synchronous()).toBe(waiting)
  })

  it('is a part of the change it is within', () => {
    const db = openTestCatalogue()
    const add = db.prepare('INSERT INTO settings VALUES (?, 1)')
    const all = (): void => {
      writeLightly(db, () => add.run('a'))
      throw new Error('no')
    }
    expect(() => write(db, all)).toThrow('no')
    expect(db.prepare('SELECT key FROM settings').all()).toEqual([])
  })
})
