import { describe, expect, it } from 'vitest'
import type { End } from '../../../src-main/remotes/end.ts'
import { OpenEnds } from '../../../src-main/remotes/open-ends.ts'

const endOf = (name: string, closed: string[]): End =>
  ({ close: async () => void closed.push(name) }) as Partial<End> as End

describe('an end that was reached', () => {
  it('is for the next as well, and closes with the last of them', async () => {
    const closed: string[] = []
    const ends = new OpenEnds(() => 0)
    const first = await ends.take(1, async () => endOf('one', closed))
    const second = await ends.take(1, async () => expect.fail('it is open'))
    await ends.close()
    await first.close()
    expect(closed).toEqual([])
    await second.close()
    expect(closed).toEqual(['one'])
  })

  it('is for nobody else when the remote became another one meanwhile', async () => {
    const closed: string[] = []
    const ends = new OpenEnds(() => 0)
    let reached = (_end: End): void => {}
    const taking = ends.take(1, () => new Promise((resolve) => (reached = resolve)))
    ends.drop(1)
    reached(endOf('before', closed))
    const before = await taking
    const after = await ends.take(1, async () => endOf('after', closed))
    await before.close()
    expect(closed).toEqual(['before'])
    await after.close()
    await ends.close()
    expect(closed).toEqual(['before', 'after'])
  })
})
