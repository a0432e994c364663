import { describe, expect, it } from 'vitest'
import { Session, type SignedIn } from '../../../src-main/web/session.ts'

const session = (): Session => new Session(() => 4711, { pauseMs: 20, waiting: 2 })
const pairOf = (signedIn: SignedIn | null): string => signedIn?.cookie.split(';', 1)[0] ?? ''
const entered = (it: Session, signedIn: SignedIn | null): boolean => it.holds(pairOf(signedIn), signedIn?.key)

describe('the launch token', () => {
  it('is exchanged for a cookie that scripts cannot read and other sites cannot send', async () => {
    const it = session()
    const signedIn = await it.exchange(it.token)
    expect(signedIn?.cookie).toMatch(/^boxyard-4711=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/)
    expect(entered(it, signedIn)).toBe(true)
  })

  it('may be exchanged again, by another browser', async () => {
    const it = session()
    await it.exchange(it.token)
    expect(entered(it, await it.exchange(it.token))).toBe(true)
  })

  it('is not the cookie, and is of one launch alone', async () => {
    const [one, other] = [session(), session()]
    expect(one.token).not.toBe(other.token)
    const signedIn = await one.exchange(one.token)
    expect(JSON.stringify(signedIn)).not.toContain(one.token)
    expect(entered(other, signedIn)).toBe(false)
  })

  it.each(['', 'x', 'ü'.repeat(43), 'A'.repeat(43), 'A'.repeat(10_000)])(
    'is not guessed with %#',
    async (guess) => {
      expect(await session().exchange(guess)).toBeNull()
    }
  )

  it('lets a wrong guess wait, more of them not even that, and whoever has it never', async () => {
    const it = session()
    const slow = Promise.all([it.exchange('a'), it.exchange('b')])
    let waited = false
    void slow.then(() => (waited = true))
    expect(await it.exchange('c')).toBeNull()
    expect(await it.exchange(it.token)).not.toBeNull()
    expect(waited).toBe(false)
    expect(await slow).toEqual([null, null])
  })
})

describe('a cookie header', () => {
  it('may hold others as well', async () => {
    const it = session()
    const signedIn = await it.exchange(it.token)
    expect(it.holds(`a=b; ${pairOf(signedIn)}; c=d`, signedIn?.key)).toBe(true)
  })

  it('alone is worth nothing: whatever listens at another port of this machine is sent it as well', async () => {
    const it = session()
    const signedIn = await it.exchange(it.token)
    const other = (await session().exchange('')) ?? { key: 'A'.repeat(43) }
    const [, value = ''] = pairOf(signedIn).split('=')
    for (const key of [undefined, '', 5, [signedIn?.key], value, other.key])
      expect(it.holds(pairOf(signedIn), key)).toBe(false)
    expect(it.holds(undefined, signedIn?.key)).toBe(false)
  })

  it.each([
    undefined,
    '',
    'boxyard-4711=',
    'boxyard-4711',
    'boxyard-4711=wrong',
    ';;;=;',
    `boxyard-4711=${'A'.repeat(43)}`
  ])('is refused: %s', async (header) => {
    const it = session()
    expect(it.holds(header, (await it.exchange(it.token))?.key)).toBe(false)
  })

  it('of the same machine at another port is none', async () => {
    const it = session()
    const signedIn = await it.exchange(it.token)
    expect(it.holds(pairOf(signedIn).replace('4711', '4712'), signedIn?.key)).toBe(false)
  })
})

describe('a token for once', () => {
  it('is good for one exchange, and for a minute', async () => {
    const it = session()
    const token = it.tokenForOnce(0)
    expect(await it.exchange(token, 60_001)).toBeNull()
    expect(entered(it, await it.exchange(token, 60_000))).toBe(true)
    expect(await it.exchange(token, 1)).toBeNull()
  })

  it('ends with the next, and none is needed for the launch token', async () => {
    const it = session()
    const [first, second] = [it.tokenForOnce(0), it.tokenForOnce(0)]
    expect(await it.exchange(first, 1)).toBeNull()
    expect(await it.exchange(it.token, 1)).not.toBeNull()
    expect(await it.exchange(second, 1)).not.toBeNull()
  })
})
