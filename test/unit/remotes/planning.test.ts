import { describe, expect, it, onTestFinished } from 'vitest'
import type { SyncRequest } from '../../../src-main/contract/sync.ts'
import type { BoxSnapshot } from '../../../src-main/domain/sync/snapshot.ts'
import type { End } from '../../../src-main/remotes/end.ts'
import { remoteBoxTable } from '../../../src-main/store/remote-boxes.ts'
import { folderAt, syncWorld } from '../../support/sync-world.ts'
import { tempDir } from '../../support/temp.ts'

const tag = { organization: 'acme', name: 'tiny' }

async function worlds() {
  const location = tempDir()
  const open = async () => {
    const end = await folderAt(location)
    onTestFinished(() => end.close())
    return end
  }
  const one = await syncWorld(await open())
  one.addBox()
  await one.addReleased('1.0.0')
  return { one, another: async () => syncWorld(await open()), location }
}

/** As a registry that keeps files and tells nothing of them. */
function tellingNoChecksums(end: End): void {
  const read = end.read.bind(end)
  end.read = async (...all) => {
    const seen = await read(...all)
    return seen && { ...seen, snapshot: withContents(seen.snapshot, {}) }
  }
}

const withContents = (box: BoxSnapshot, checksums: object): BoxSnapshot => ({
  ...box,
  versions: box.versions.map((version) => ({
    ...version,
    images: version.images.map((image) =>
      image.content.kind === 'bytes'
        ? { ...image, content: { ...image.content, size: null, checksums } }
        : image
    )
  }))
})

describe('publishing', () => {
  it('brings a box to a remote, and has nothing to do then', async () => {
    const { one } = await worlds()
    expect(await one.run()).toEqual([
      'create-box',
      'create-version 1.0.0',
      'create-image 1.0.0 virtualbox/amd64',
      'put-bytes 1.0.0 virtualbox/amd64',
      'release 1.0.0'
    ])
    expect(await one.there()).toEqual(await one.here())
    expect((await one.view()).steps).toEqual([])
  })

  it.each([1, 2, 3, 4])('that is cut off after %i steps goes on with the others', async (most) => {
    const { one } = await worlds()
    const before = await one.run({}, { most })
    expect(before).toHaveLength(most)
    expect([...before, ...(await one.run())]).toHaveLength(5)
    expect(await one.there()).toEqual(await one.here())
  })

  it('a box that was removed there as a whole brings all of it again, also when that is cut off', async () => {
    const { one } = await worlds()
    await one.run()
    await one.remote.end.carryOut(tag, { kind: 'remove-box' }, new AbortController().signal)
    await one.run({}, { most: 1 })
    await one.run()
    expect(await one.there()).toEqual(await one.here())
  })

  it('to a remote that tells no checksums does not take what it sent for something else', async () => {
    const { one } = await worlds()
    tellingNoChecksums(one.remote.end)
    await one.run()
    const { steps, conflicts } = (await one.prepare()).plan
    expect({ steps, conflicts }).toEqual({ steps: [], conflicts: [] })
  })

  it('asks where nobody can tell whether both have the same file', async () => {
    const { one } = await worlds()
    await one.run()
    remoteBoxTable(one.db).putBase(one.remoteId, tag, null, 1)
    tellingNoChecksums(one.remote.end)
    expect((await one.view()).conflicts[0]?.sentence).toMatch(
      /^virtualbox\/amd64 of 1\.0\.0 cannot be compared/
    )
  })

  it('computes the checksum a remote knows, rather than asking', async () => {
    const { one } = await worlds()
    await one.run()
    remoteBoxTable(one.db).putBase(one.remoteId, tag, null, 1)
    const image = { version: '1.0.0', provider: 'virtualbox', architecture: 'amd64' }
    const md5 = await one.local.checksum(tag, image, 'md5')
    const { read } = one.remote.end
    one.remote.end.read = async (...all) => {
      const seen = await read(...all)
      return seen && { ...seen, snapshot: withContents(seen.snapshot, { md5 }) }
    }
    expect(await one.view()).toMatchObject({ steps: [], conflicts: [] })
    one.remote.end.read = async (...all) => {
      const seen = await read(...all)
      return seen && { ...seen, snapshot: withContents(seen.snapshot, { md5: '0'.repeat(32) }) }
    }
    expect((await one.view()).conflicts).toHaveLength(1)
  })

  it('leaves out what was unticked, with what makes no sense without it', async () => {
    const { one } = await worlds()
    one.addImage({ architecture: 'arm64' })
    await one.upload('bytes for arm', { architecture: 'arm64' })
    const leftOut = ['put-bytes 1.0.0 virtualbox/arm64']
    const view = await one.view({ leftOut })
    expect(view.steps.filter((step) => step.leftOut).map(({ key }) => key)).toEqual([
      'create-image 1.0.0 virtualbox/arm64',
      'put-bytes 1.0.0 virtualbox/arm64'
    ])
    expect(view.bytes).toBe('bytes of tiny 1.0.0'.length)
    await one.run({ leftOut })
    expect((await one.there())?.versions).toMatchObject([
      { status: 'active', images: [{ architecture: 'amd64' }] }
    ])
  })
})

describe('two who publish to the same remote', () => {
  it('have each what the other made, once both pulled', async () => {
    const { one, another } = await worlds()
    await one.run()
    const two = await another()
    await two.run({ direction: 'pull' })
    expect(await two.here()).toEqual(await one.here())
    await two.addReleased('2.0.0')
    await two.run()
    await one.run({ direction: 'pull' })
    expect(await one.here()).toEqual(await two.here())
  })

  it('who made one version differently lose neither, and are asked once', async () => {
    const { one, another } = await worlds()
    const two = await another()
    two.addBox()
    await two.addReleased('1.0.0', 'tiny', 'other bytes')
    await one.run()
    const [conflict] = (await two.view()).conflicts
    expect(conflict).toMatchObject({ chosen: null })
    expect(conflict?.choices.map(({ choice }) => choice)).toEqual(['new-version', 'keep-both', 'theirs'])
    const before = [await one.there(), await two.here()]
    await two.run({ choices: { [conflict!.key]: 'keep-both' } })
    expect([await two.there(), await two.here()]).toEqual(before)
    for (const direction of ['publish', 'pull'] as const)
      expect((await two.view({ direction })).conflicts).toMatchObject([{ chosen: 'keep-both' }])
    await two.upload('changed again')
    expect((await two.view()).conflicts).toMatchObject([{ chosen: null }])
  })

  it('may give one of them a version of its own', async () => {
    const { one, another } = await worlds()
    const two = await another()
    two.addBox()
    await two.addReleased('1.0.0', 'tiny', 'other bytes')
    await one.run()
    const [conflict] = (await two.view()).conflicts
    const choices = { [conflict!.key]: 'new-version' as const }
    await two.run({ choices }, { most: 2 })
    await two.run({ choices })
    expect((await two.there())?.versions.map(({ number, status }) => [number, status])).toEqual([
      ['1.0.0', 'active'],
      ['1.0.1', 'active']
    ])
    expect((await two.view()).conflicts).toMatchObject([{ chosen: 'keep-both' }])
    await two.run({ direction: 'pull' })
    expect((await two.here())?.versions.map(({ number }) => number).toSorted()).toEqual(['1.0.0', '1.0.1'])
  })
})

describe('a mirror', () => {
  it('knows what its rule does not fetch, and fetches it when it is asked to', async () => {
    const { one, another } = await worlds()
    await one.run()
    const two = await another()
    await two.run({ direction: 'pull', images: 'none' }, { byMirror: true })
    expect((await two.here())?.versions).toMatchObject([
      { status: 'active', images: [{ content: { kind: 'known' } }] }
    ])
    expect((await two.view({ direction: 'pull', images: 'none' })).steps).toEqual([])
    const wanted = { version: '1.0.0', image: { provider: 'virtualbox', architecture: 'amd64' } }
    expect(await two.run({ direction: 'pull', ...wanted })).toEqual(['put-bytes 1.0.0 virtualbox/amd64'])
    expect(await two.here()).toEqual(await one.here())
  })
})

describe('what a rule queued', () => {
  const byRule: Partial<SyncRequest> = {
    direction: 'pull',
    withRemovals: true,
    filter: { newest: null, prereleases: true, providers: [], architectures: [], largestBytes: null }
  }

  async function mirroring() {
    const { one, another } = await worlds()
    await one.run()
    const two = await another()
    await two.run(byRule, { byMirror: true })
    return two
  }

  it('does not make a mirror again of a box that was forked meanwhile', async () => {
    const two = await mirroring()
    two.mirrored.fork('acme', 'tiny')
    await expect(two.run(byRule, { byMirror: true })).rejects.toThrow(/box of its own/)
    expect(two.mirrored.remoteOf('acme', 'tiny')).toBeNull()
    expect(await two.run({ direction: 'pull' })).toEqual([])
  })

  it('takes no box for deleted that was listed, and the one that was not', async () => {
    const two = await mirroring()
    await two.remote.end.carryOut(tag, { kind: 'remove-box' }, new AbortController().signal)
    expect((await two.prepare(byRule, true)).plan.steps).toEqual([])
    expect(await two.here()).not.toBeNull()
    expect(await two.run({ ...byRule, gone: true }, { byMirror: true })).toEqual(['remove-box'])
    expect(await two.here()).toBeNull()
  })
})

describe('a pull without files', () => {
  const bare = { direction: 'pull', images: 'none' } as const

  it('makes a box that is not here a mirror, says so, and brings the files later', async () => {
    const { one, another } = await worlds()
    await one.run()
    const two = await another()
    expect((await two.view(bare)).notes).toEqual([
      'acme/tiny is a mirror of the box at Lab then: it cannot be changed here until it is forked.'
    ])
    const before = await two.run(bare, { most: 2 })
    expect([...before, ...(await two.run(bare))]).toEqual([
      'create-box',
      'create-version 1.0.0',
      'create-image 1.0.0 virtualbox/amd64',
      'release 1.0.0'
    ])
    expect((await two.here())?.versions).toMatchObject([
      { status: 'active', images: [{ content: { kind: 'known' } }] }
    ])
    expect(await two.view(bare)).toMatchObject({ steps: [], notes: [] })
    expect(await two.run({ direction: 'pull' })).toEqual(['put-bytes 1.0.0 virtualbox/amd64'])
  })

  it('is refused where an own box would get images without files', async () => {
    const { one, another } = await worlds()
    await one.run()
    const two = await another()
    two.addBox()
    const refusal = /^acme\/tiny is a box of its own here, so none of its files can stay at Lab/
    await expect(two.view(bare)).rejects.toThrow(refusal)
    await expect(two.run(bare)).rejects.toThrow(refusal)
    expect((await two.here())?.versions).toEqual([])
    await two.run({ direction: 'pull' })
    expect((await two.view(bare)).steps).toEqual([])
  })
})

describe('a remote that does not answer', () => {
  it('is shown as it was when both last agreed', async () => {
    const { one } = await worlds()
    await one.run()
    await one.addReleased('2.0.0')
    one.disconnect()
    const view = await one.view()
    expect(view).toMatchObject({ asSeenAt: 1000, unreachable: ['Lab does not answer.'], conflicts: [] })
    expect(view.steps.map(({ key }) => key)).toEqual([
      'create-version 2.0.0',
      'create-image 2.0.0 virtualbox/amd64',
      'put-bytes 2.0.0 virtualbox/amd64',
      'release 2.0.0'
    ])
  })

  it('and was never seen is taken to have nothing', async () => {
    const { one } = await worlds()
    one.disconnect()
    const view = await one.view()
    expect(view.asSeenAt).toBe(0)
    expect(view.steps[0]).toMatchObject({ kind: 'create-box', optional: false })
  })
})

describe('what was agreed on', () => {
  it('is read as none when nobody can read it', async () => {
    const { one } = await worlds()
    await one.run()
    one.db.prepare(`UPDATE remote_boxes SET base = '{"nonsense'`).run()
    expect((await one.view()).steps).toEqual([])
    expect(remoteBoxTable(one.db).baseOf(one.remoteId, tag)).toMatchObject({ base: null })
  })

  it('is the same however the name of the box is written', async () => {
    const { one } = await worlds()
    await one.run()
    const { base } = remoteBoxTable(one.db).baseOf(one.remoteId, { organization: 'ACME', name: 'Tiny' })!
    expect(base?.versions).toMatchObject([{ number: '1.0.0', status: 'active' }])
  })
})
