import { describe, expect, it } from 'vitest'
import { laterRefusal } from '../../support/catalog.ts'
import { upkeepWorld } from '../../support/upkeep.ts'
import { sha256 } from '../../support/sha256.ts'

describe('the profile of an organization', () => {
  it('is shown as HTML that may be shown to anybody', async () => {
    const world = await upkeepWorld()
    await world.profiles.set('acme', '# Hello\n\n<script>alert(1)</script>')
    const { profileMarkdown, profileHtml } = world.organization()
    expect(profileMarkdown).toContain('<script>')
    expect(profileHtml).toContain('<h1>Hello</h1>')
    expect(profileHtml).not.toContain('<script>')
  })

  it('is beside each of its files soon after', async () => {
    const world = await upkeepWorld()
    for (const box of ['one', 'two']) {
      world.addBox(box)
      await world.addReleased('1.0.0', box, `bytes of ${box}`)
    }
    await world.profiles.set('acme', 'We make boxes.')
    await world.sidecars.drain()
    for (const box of ['one', 'two'])
      expect(await world.blobs.readSidecar(sha256(`bytes of ${box}`))).toMatchObject({
        uses: [{ organization: { profile: 'We make boxes.' } }]
      })
  })

  it('is not set for nobody, nor when it is far too long', async () => {
    const world = await upkeepWorld()
    const { profiles } = world
    await laterRefusal('missing', profiles.set('nobody', 'text'))
    await laterRefusal('invalid', profiles.set('acme', 'x'.repeat(300_000)))
    expect(world.organization().profileMarkdown).toBe('')
  })
})
