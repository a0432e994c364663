import { expect, it } from 'vitest'
import { remotesHandlers } from '../../../src-main/desk/remotes.ts'
import { remotesWorld } from '../../support/remotes.ts'

type Needs = Parameters<typeof remotesHandlers>[0]

it('removing a remote says where its token may have stayed', async () => {
  const { db, remotes, connections, lab } = remotesWorld()
  const desk = remotesHandlers({ remotes, connections } as Partial<Needs> as Needs)
  expect(await desk['remotes.remove']({ id: (await lab()).id })).toEqual({ note: null })
  const { id } = await lab()
  db.prepare("UPDATE remotes SET token_name = 'in-the-keychain'").run()
  const { note } = await desk['remotes.remove']({ id })
  expect(note).toMatch(
    /could not be taken out of the keychain, where it is called Boxyard\/in-the-keychain\./
  )
})
