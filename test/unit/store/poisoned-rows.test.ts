import { describe, expect, it, onTestFinished } from 'vitest'
import type { MirrorRule } from '../../../src-main/contract/mirrors.ts'
import { mirrorRuleTable } from '../../../src-main/store/mirror-rules.ts'
import { openCatalogue } from '../../../src-main/store/open.ts'
import { remoteBoxViews } from '../../../src-main/store/remote-box-views.ts'
import { remoteBoxTable } from '../../../src-main/store/remote-boxes.ts'
import { tempDir } from '../../support/temp.ts'

/** Of no use, or of another shape than was written. */
const garbage = ['', '{', 'null', '7', '"x"', '[]', '{}', '{"versions":7}', '{"versions":[null]}']

const rule: MirrorRule = {
  ...{ remoteId: 1, boxes: 'acme/*', newest: 2, prereleases: true, providers: [], architectures: [] },
  ...{ largestBytes: null, removeGone: true, everyMinutes: 60, enabled: true }
}

function catalogue() {
  const db = openCatalogue(tempDir())
  onTestFinished(() => void db.close())
  db.exec(`INSERT INTO remotes (id, name, name_key, kind, location, identity, created_at)
    VALUES (1, 'Lab', 'lab', 'http', 'https://lab.example', 'lab', 0)`)
  return db
}

describe.each(garbage)('a row with %j in it', (text) => {
  it('is a mirror rule about no box, and the others are as they were', () => {
    const db = catalogue()
    const rules = mirrorRuleTable(db)
    const [poisoned, sound] = [rules.insert(rule, 0), rules.insert(rule, 0)]
    db.prepare('UPDATE mirror_rules SET rule = ? WHERE id = ?').run(text, poisoned)
    expect(rules.all()).toMatchObject([
      { id: poisoned, lastFailed: true, rule: { remoteId: 1, enabled: false, removeGone: false } },
      { id: sound, lastFailed: false, rule }
    ])
    rules.update(poisoned, rule)
    expect(rules.get(poisoned)).toMatchObject({ rule, lastFailed: false })
  })

  it('says nothing of what was agreed on, nor of what is different', () => {
    const db = catalogue()
    const tag = { organization: 'acme', name: 'base' }
    const boxes = remoteBoxTable(db)
    boxes.putBase(1, tag, { versions: [] }, 0)
    db.prepare('UPDATE remote_boxes SET base = ?, differences = ?').run(text, text)
    expect(boxes.baseOf(1, tag)?.base).toBeNull()
    db.prepare('UPDATE remotes SET cursor = ?').run(text)
    expect(remoteBoxViews(db).ofBox('acme', 'base')).toMatchObject([{ remoteId: 1, differences: [] }])
  })
})
