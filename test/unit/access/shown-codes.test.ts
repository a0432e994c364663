import { describe, expect, it } from 'vitest'
import type { ShownCode } from '../../../src-main/access/shown-codes.ts'
import { accessWorld, minutes } from '../../support/access.ts'

const password = 'correct horse'

async function world() {
  const made = accessWorld()
  const { accounts, signIn, shownCodes } = made
  for (const name of ['alice', 'bob']) {
    await accounts.addUser(name, null, password)
    accounts.setTwoFactor(name, true)
  }
  const told: ShownCode[] = []
  shownCodes.watch((code) => told.push(code) > 0)
  const ask = (login: string) => signIn.requestCode({ login, password, deliveryMethod: 'sms' })
  const use = (login: string, code: string) => signIn.signIn({ login, password, code })
  const shown = () => shownCodes.list().map(({ user }) => user)
  return { ...made, told, ask, use, shown }
}

describe('a sign-in code on this screen', () => {
  it('is announced, and shown until it is used', async () => {
    const { told, ask, use, shown, shownCodes, clock } = await world()
    await ask('alice')
    await ask('bob')
    expect(told.map(({ user }) => user)).toEqual(['alice', 'bob'])
    expect(told[0]).toMatchObject({
      code: expect.stringMatching(/^\d{6}$/),
      expiresAt: clock.time + minutes(5)
    })
    expect(shownCodes.list()).toEqual(told)
    await use('alice', told[0]?.code ?? '')
    expect(shown()).toEqual(['bob'])
  })

  it.each<[string, (made: Awaited<ReturnType<typeof world>>) => unknown]>([
    ['its time is over', ({ clock }) => clock.pass(minutes(5))],
    ['two-factor was turned off', ({ accounts }) => accounts.setTwoFactor('alice', false)],
    ['the account was removed', ({ accounts }) => accounts.removeUser('alice')],
    ['another way in was used', ({ db }) => db.prepare('DELETE FROM sign_in_codes').run()]
  ])('is gone once %s', async (_why, happen) => {
    const made = await world()
    await made.ask('alice')
    expect(made.shown()).toEqual(['alice'])
    await happen(made)
    expect(made.shown()).toEqual([])
  })

  it('is gone after too many wrong ones were tried', async () => {
    const { told, ask, use, shown } = await world()
    await ask('alice')
    const wrong = told[0]?.code === '000000' ? '111111' : '000000'
    for (let i = 0; i < 5; i += 1) await use('alice', wrong).catch(() => {})
    expect(shown()).toEqual([])
  })

  it('takes the place of the one before', async () => {
    const { told, ask, shownCodes } = await world()
    await ask('alice')
    await ask('alice')
    expect(shownCodes.list()).toEqual([told[1]])
  })

  it('is said to be there where somebody sees it, and is in the log elsewhere alone', async () => {
    const { ask, told, lines } = await world()
    expect((await ask('alice')).obfuscatedDestination).toMatch(/^the Access page of Boxyard on /)
    expect(lines.at(-1)).toContain('sign-in code for alice')
    expect(lines.join('')).not.toContain(told[0]?.code)
    const { accounts, signIn, shownCodes } = accessWorld()
    shownCodes.watch(() => false) // a page that nobody has open
    await accounts.addUser('alice', null, password)
    accounts.setTwoFactor('alice', true)
    const sent = await signIn.requestCode({ login: 'alice', password, deliveryMethod: 'sms' })
    expect(sent.obfuscatedDestination).toMatch(/^the log of the registry on /)
  })

  it('is shown and works even where announcing it fails', async () => {
    const { ask, use, told, shown, shownCodes, lines } = await world()
    shownCodes.watch(() => {
      throw new Error('no window')
    })
    await ask('alice')
    expect(shown()).toEqual(['alice'])
    expect(lines.join()).toContain('no window')
    await expect(use('alice', told[0]?.code ?? '')).resolves.toHaveProperty('token')
  })
})
