import { generateSync } from 'otplib'
import { describe, expect, it } from 'vitest'
import { Authentication } from '../../../src-main/access/authentication.ts'
import { Passwords } from '../../../src-main/access/passwords.ts'
import { SecondFactorNeeded, SignIn } from '../../../src-main/access/sign-in.ts'
import { accessWorld, cheapPasswords, minutes, seconds } from '../../support/access.ts'

const password = 'correct horse'
const wrongLogin = { kind: 'unauthorized', message: 'The login or the password is wrong.' }
const wrongCode = {
  kind: 'unauthorized',
  message: 'The two-factor code is wrong, has expired or was used before.'
}
const tooManyCodes = { kind: 'unauthorized', message: /^Too many wrong two-factor codes were tried/ }

/** Alice signs in with a password and bob with a password and a code; carol has no password. */
async function world() {
  const made = accessWorld()
  const { accounts, clock, signIn } = made
  const alice = await accounts.addUser('Alice', 'Alice@Example.org', password)
  const bob = await accounts.addUser('bob', 'bob@example.org', password)
  await accounts.addUser('carol')
  const secret = accounts.setTwoFactor('bob', true)?.secret ?? ''
  const appCode = (offset = 0): string => generateSync({ secret, epoch: (clock.time + offset) / 1000 })
  const enter = (code: string, login = 'bob') => signIn.signIn({ login, password, code })
  const askForCode = async (login = 'bob'): Promise<string> => {
    await signIn.requestCode({ login, password, deliveryMethod: 'sms' })
    return made.shownCode()
  }
  /** A code that is neither the app's now nor the one shown. */
  const wrong = (not = ''): string => {
    const right = new Set([not, ...[-60, -30, 0, 30, 60].map((s) => appCode(seconds(s)))])
    return (
      ['000000', '111111', '222222', '333333', '444444', '555555', '666666'].find((c) => !right.has(c)) ?? ''
    )
  }
  return { ...made, alice, bob, secret, appCode, enter, askForCode, wrong }
}

describe('signing in with a password', () => {
  it.each(['Alice', 'alice', 'ALICE', 'alice@example.org', 'ALICE@EXAMPLE.ORG', ' alice '])(
    'gives a token that works to %j',
    async (login) => {
      const { signIn, db, log, alice } = await world()
      const { token, description } = await signIn.signIn({ login, password, description: 'laptop' })
      expect(new Authentication(db, log).callerFor(token)).toEqual({
        kind: 'user',
        id: alice.id,
        name: 'Alice'
      })
      expect(description).toBe('laptop')
    }
  )

  it.each([
    ['a wrong password', 'alice', 'correct horsf'],
    ['no password', 'alice', ''],
    ['a password in another case', 'alice', password.toUpperCase()],
    ['a password with a space too many', 'alice', `${password} `],
    ['a password with a zero byte and more', 'alice', `${password}\0x`],
    ['a password that is far too long', 'alice', 'x'.repeat(2_000_000)],
    ['a wildcard for a name', '%', password],
    ['a statement for a name', "alice' --", password],
    ['a statement for an address', "x@' OR 1=1 --", password],
    ['a name that is far too long', 'alice'.repeat(400_000), password],
    ['no name', '', password],
    ['a name nobody has', 'mallory', password],
    ['an address nobody has', 'mallory@example.org', password],
    ['an account without a password', 'carol', password],
    ['an account without a password, and none given', 'carol', '']
  ])('is refused with %s, always with the same words', async (_what, login, tried) => {
    const { signIn, tokens } = await world()
    await expect(signIn.signIn({ login, password: tried })).rejects.toMatchObject(wrongLogin)
    await expect(signIn.requestCode({ login, password: tried, deliveryMethod: 'sms' })).rejects.toMatchObject(
      wrongLogin
    )
    expect(tokens.list()).toEqual([])
  })

  it('ignores a code where two-factor is off', async () => {
    const { enter } = await world()
    await expect(enter('123456', 'alice')).resolves.toMatchObject({ description: '' })
  })

  it('refuses a description that is too long and leaves the code to be used', async () => {
    const { signIn, appCode, enter } = await world()
    const description = 'x'.repeat(256)
    await expect(
      signIn.signIn({ login: 'bob', password, code: appCode(), description })
    ).rejects.toMatchObject({ kind: 'invalid' })
    await expect(enter(appCode())).resolves.toHaveProperty('token')
  })

  it('hashes the password anew when hashing has become costlier', async () => {
    const { db, tokens, secondFactor, shownCodes, log, clock } = await world()
    const passwords = new Passwords({ memoryCost: 16, timeCost: 2, parallelism: 1 })
    const stored = db.prepare('SELECT password_hash FROM users WHERE name_key = ?').pluck()
    const signIn = new SignIn(db, { passwords, tokens, secondFactor, shownCodes }, log, clock.now)
    for (let i = 0; i < 2; i += 1) {
      await signIn.signIn({ login: 'alice', password })
      expect(passwords.isOutdated(stored.get('alice') as string)).toBe(false)
    }
    expect(cheapPasswords().isOutdated(stored.get('bob') as string)).toBe(false)
  })

  /** Lets everything run but the hashing, which happens in another thread. */
  const untilHashing = async (): Promise<void> => {
    for (let i = 0; i < 50; i += 1) await null
  }

  it('is refused when the password is changed while the one given is looked at', async () => {
    const { db, signIn, tokens } = await world()
    const late = signIn.signIn({ login: 'alice', password })
    await untilHashing()
    db.exec("UPDATE users SET password_hash = 'another' WHERE name_key = 'alice'")
    await expect(late).rejects.toMatchObject(wrongLogin)
    expect(tokens.list()).toEqual([])
  })

  it('needs a code when two-factor is turned on while the password is looked at', async () => {
    const { accounts, signIn } = await world()
    const late = signIn.signIn({ login: 'alice', password })
    await untilHashing()
    accounts.setTwoFactor('alice', true)
    await expect(late).rejects.toBeInstanceOf(SecondFactorNeeded)
  })
})

describe('guessing a password', () => {
  const guess = (signIn: SignIn, login: string, tried = 'wrong horse') =>
    signIn.signIn({ login, password: tried })

  it.each(['alice', 'mallory', 'alice@example.org', 'nobody@example.org'])(
    'is slowed for %s, who may not exist, and even the right one waits',
    async (login) => {
      const { signIn, clock } = await world()
      for (let i = 0; i < 5; i += 1) await expect(guess(signIn, login)).rejects.toMatchObject(wrongLogin)
      const slowed = { kind: 'unauthorized', message: /^Too many wrong passwords.* Try again in 1 s\.$/ }
      await expect(guess(signIn, login, password)).rejects.toMatchObject(slowed)
      await expect(guess(signIn, login.toUpperCase(), password)).rejects.toMatchObject(slowed)
      clock.pass(seconds(1))
      await expect(guess(signIn, login)).rejects.toMatchObject(wrongLogin)
      await expect(guess(signIn, login)).rejects.toMatchObject({ message: /Try again in 2 s/ })
    }
  )

  it('is slowed when all guesses come at once', async () => {
    const { signIn } = await world()
    const results = await Promise.allSettled(Array.from({ length: 30 }, () => guess(signIn, 'alice')))
    const looked = results.filter((r) => r.status === 'rejected' && r.reason.message === wrongLogin.message)
    expect(looked).toHaveLength(5)
  })

  it('keeps out neither the account once the pause is over, nor anybody else meanwhile', async () => {
    const { signIn, clock } = await world()
    for (let i = 0; i < 6; i += 1) await expect(guess(signIn, 'alice')).rejects.toThrow()
    await expect(signIn.requestCode({ login: 'alice', password, deliveryMethod: 'sms' })).rejects.toThrow(
      'Too many wrong passwords'
    )
    await expect(guess(signIn, 'bob', password)).rejects.toBeInstanceOf(SecondFactorNeeded)
    clock.pass(minutes(1))
    await expect(guess(signIn, 'alice', password)).resolves.toHaveProperty('token')
  })

  it('counts from nothing after the right password', async () => {
    const { signIn } = await world()
    for (let round = 0; round < 3; round += 1) {
      for (let i = 0; i < 4; i += 1) await expect(guess(signIn, 'alice')).rejects.toMatchObject(wrongLogin)
      await expect(guess(signIn, 'alice', password)).resolves.toHaveProperty('token')
    }
  })

  it('does not slow many who sign in rightly at once', async () => {
    const { signIn } = await world()
    const results = await Promise.all(Array.from({ length: 20 }, () => guess(signIn, 'alice', password)))
    expect(new Set(results.map((one) => one.token)).size).toBe(20)
  })
})

describe('signing in with two-factor', () => {
  it.each([undefined, null, ''])('says that a code is needed when it is %j', async (code) => {
    const { signIn } = await world()
    const refused = signIn.signIn({ login: 'bob', password, code })
    await expect(refused).rejects.toBeInstanceOf(SecondFactorNeeded)
    await expect(refused).rejects.toMatchObject({
      kind: 'unauthorized',
      defaultDeliveryMethod: 'app',
      deliveryMethods: ['app', 'sms']
    })
  })

  it('does not tell that a code is needed to whoever has not the password', async () => {
    const { signIn, appCode } = await world()
    await expect(
      signIn.signIn({ login: 'bob', password: 'wrong horse', code: appCode() })
    ).rejects.toMatchObject(wrongLogin)
  })

  it.each([
    ['of now', 0, 'in'],
    ['of the step before', -30, 'in'],
    ['of the step after', 30, 'in'],
    ['of two steps before', -60, 'out'],
    ['of two steps after', 60, 'out']
  ])('takes the code of the app %s: %s s is %s', async (_what, offset, expected) => {
    const { enter, appCode } = await world()
    const entered = enter(appCode(seconds(offset)))
    if (expected === 'in') await expect(entered).resolves.toHaveProperty('token')
    else await expect(entered).rejects.toMatchObject(wrongCode)
  })

  it('takes a code in two groups', async () => {
    const { enter, appCode } = await world()
    await expect(enter(`${appCode().slice(0, 3)} ${appCode().slice(3)}`)).resolves.toHaveProperty('token')
  })

  it.each([
    'abcdef',
    '12345',
    '1234567',
    '١٢٣٤٥٦',
    '000000; DROP TABLE users',
    '1e5',
    '-12345',
    '\0',
    '9'.repeat(1e6)
  ])('refuses and counts what is no code: %j', async (code) => {
    const { enter, db } = await world()
    await expect(enter(code)).rejects.toMatchObject(wrongCode)
    expect(db.prepare('SELECT wrong_tries FROM sign_in_codes').pluck().get()).toBe(1)
  })

  it('takes each code of the app once, and none from before it', async () => {
    const { enter, appCode, clock } = await world()
    const [before, now, after] = [appCode(seconds(-30)), appCode(), appCode(seconds(30))]
    await enter(now)
    await expect(enter(now)).rejects.toMatchObject(wrongCode)
    await expect(enter(before)).rejects.toMatchObject(wrongCode)
    await enter(after)
    clock.pass(seconds(30))
    await expect(enter(after)).rejects.toMatchObject(wrongCode)
    clock.pass(seconds(30))
    await enter(appCode())
  })

  it('takes a code that is sent twice at once, once', async () => {
    const { enter, appCode } = await world()
    const results = await Promise.allSettled([1, 2, 3].map(() => enter(appCode())))
    expect(results.map((r) => r.status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
  })

  it('takes nobody in with the code of another account', async () => {
    const { accounts, enter, appCode, askForCode, db, bob } = await world()
    await accounts.addUser('dave', null, password)
    accounts.setTwoFactor('dave', true)
    await expect(enter(appCode(), 'dave')).rejects.toMatchObject(wrongCode)
    const shown = await askForCode('bob')
    await expect(enter(shown, 'dave')).rejects.toMatchObject(wrongCode)
    db.exec(
      `UPDATE sign_in_codes SET (code_mac, expires_at) =
       (SELECT code_mac, expires_at FROM sign_in_codes WHERE user_id = ${bob.id})`
    )
    await expect(enter(shown, 'dave')).rejects.toMatchObject(wrongCode)
    await expect(enter(shown, 'bob')).resolves.toHaveProperty('token')
  })

  it('opens no secret that was copied from another account', async () => {
    const { accounts, enter, appCode, db, lines } = await world()
    await accounts.addUser('dave', null, password)
    accounts.setTwoFactor('dave', true)
    db.exec("UPDATE users SET totp_secret = (SELECT totp_secret FROM users WHERE name = 'bob')")
    await expect(enter(appCode(), 'dave')).rejects.toMatchObject(wrongCode)
    expect(lines.join()).toContain('the two-factor secret of dave')
  })

  it('keeps its secret sealed', async () => {
    const { db, secret } = await world()
    expect(db.serialize().toString('latin1')).not.toContain(secret)
  })
})

describe('a code shown on this machine', () => {
  it('is six digits in the log, and lets in once', async () => {
    const { signIn, lines, shownCode, enter, db } = await world()
    const { obfuscatedDestination } = await signIn.requestCode({
      login: 'bob',
      password,
      deliveryMethod: 'sms'
    })
    expect(lines.at(-1)).toMatch(/ Sign-in code for bob: [0-9]{6} \(works once, for 5 minutes\)\n$/)
    expect(obfuscatedDestination).toContain('***')
    expect(obfuscatedDestination).not.toContain(shownCode())
    expect(db.serialize().toString('latin1')).not.toContain(`'${shownCode()}'`)
    await expect(enter(shownCode())).resolves.toHaveProperty('token')
    await expect(enter(shownCode())).rejects.toMatchObject(wrongCode)
  })

  it.each([
    [4.99, 'in'],
    [5, 'out'],
    [60, 'out']
  ])('after %d minutes is %s', async (age, expected) => {
    const { askForCode, enter, clock } = await world()
    const code = await askForCode()
    clock.pass(minutes(age))
    if (expected === 'in') await expect(enter(code)).resolves.toHaveProperty('token')
    else await expect(enter(code)).rejects.toMatchObject(wrongCode)
  })

  it('takes the place of the one before, and gives way to a code of the app', async () => {
    const { askForCode, enter, appCode } = await world()
    const first = await askForCode()
    let second = await askForCode()
    while (second === first) second = await askForCode()
    await expect(enter(first)).rejects.toMatchObject(wrongCode)
    await enter(appCode())
    await expect(enter(second)).rejects.toMatchObject(wrongCode)
  })

  it.each(['app', 'email', '', 'SMS'])('is not to be had by %j', async (deliveryMethod) => {
    const { signIn, lines } = await world()
    await expect(signIn.requestCode({ login: 'bob', password, deliveryMethod })).rejects.toMatchObject({
      kind: 'invalid',
      message: 'The delivery method of a two-factor code must be "sms".'
    })
    expect(lines).toEqual([])
  })

  it('is not shown where two-factor is off', async () => {
    const { askForCode, lines } = await world()
    await expect(askForCode('alice')).rejects.toMatchObject({
      kind: 'invalid',
      message: /is off for this account/
    })
    expect(lines).toEqual([])
  })
})

describe('guessing a code', () => {
  it('is over after five wrong ones: even right ones of either kind are refused for five minutes', async () => {
    const { askForCode, enter, appCode, wrong, clock } = await world()
    const shown = await askForCode()
    for (let i = 0; i < 5; i += 1) await expect(enter(wrong(shown))).rejects.toMatchObject(wrongCode)
    for (const code of [shown, appCode()]) await expect(enter(code)).rejects.toMatchObject(tooManyCodes)
    await expect(askForCode()).rejects.toMatchObject(tooManyCodes)
    clock.pass(minutes(4.9))
    await expect(enter(appCode())).rejects.toMatchObject({ message: /Try again in a minute\.$/ })
    clock.pass(minutes(0.1))
    await expect(enter(shown)).rejects.toMatchObject(wrongCode)
    await expect(enter(appCode())).resolves.toHaveProperty('token')
  })

  it('counts the same whether a new code was asked for in between', async () => {
    const { askForCode, enter, wrong } = await world()
    for (let i = 0; i < 5; i += 1) {
      const shown = await askForCode()
      await expect(enter(wrong(shown))).rejects.toMatchObject(wrongCode)
    }
    await expect(askForCode()).rejects.toMatchObject(tooManyCodes)
  })

  it('counts all that are sent at once', async () => {
    const { enter, wrong } = await world()
    const results = await Promise.allSettled(Array.from({ length: 25 }, () => enter(wrong())))
    const looked = results.filter((r) => r.status === 'rejected' && r.reason.message === wrongCode.message)
    expect(looked).toHaveLength(5)
  })

  it('starts from nothing after a right one, and for others', async () => {
    const { enter, wrong, appCode, clock } = await world()
    for (let round = 0; round < 3; round += 1) {
      for (let i = 0; i < 4; i += 1) await expect(enter(wrong())).rejects.toMatchObject(wrongCode)
      await expect(enter(appCode())).resolves.toHaveProperty('token')
      clock.pass(seconds(30))
    }
  })

  it('is not refused to the person at this machine, who turns two-factor off and on', async () => {
    const { accounts, signIn, enter, wrong, clock } = await world()
    for (let i = 0; i < 6; i += 1) await expect(enter(wrong())).rejects.toThrow()
    accounts.setTwoFactor('bob', false)
    await expect(signIn.signIn({ login: 'bob', password })).resolves.toHaveProperty('token')
    const secret = accounts.setTwoFactor('bob', true)?.secret ?? ''
    await expect(enter(generateSync({ secret, epoch: clock.time / 1000 }))).resolves.toHaveProperty('token')
  })

  it('is remembered by the next process', async () => {
    const first = await world()
    for (let i = 0; i < 5; i += 1) await expect(first.enter(first.wrong())).rejects.toThrow()
    const { signIn } = accessWorld(first.dataDir, first.clock)
    await expect(signIn.signIn({ login: 'bob', password, code: first.appCode() })).rejects.toMatchObject(
      tooManyCodes
    )
  })
})
