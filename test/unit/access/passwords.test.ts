import { describe, expect, it } from 'vitest'
import { Passwords, usualCost } from '../../../src-main/access/passwords.ts'
import { cheapPasswords } from '../../support/access.ts'

describe('a new password', () => {
  it.each(['12345678', 'ünïcödé!', '👍👍👍👍👍👍👍👍', '        ', 'x'.repeat(1024)])(
    'may be %j',
    (password) => {
      expect(() => cheapPasswords().checkNew(password)).not.toThrow()
    }
  )

  it.each([
    ['', 'too short'],
    ['12345', 'too short'],
    ['👍👍👍👍', 'too short'],
    ['x'.repeat(1025), 'too long'],
    ['ü'.repeat(513), 'too long']
  ])('may not be %j', (password, why) => {
    expect(() => cheapPasswords().checkNew(password)).toThrow(why)
  })
})

describe('a password hash', () => {
  it('is argon2id at the usual cost unless another is asked for', async () => {
    const { memoryCost, timeCost, parallelism } = usualCost
    expect(await new Passwords().hash('correct horse')).toMatch(
      `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`
    )
  })

  it('is another one each time, and matches its password alone', async () => {
    const passwords = cheapPasswords()
    const [one, two] = [await passwords.hash('correct horse'), await passwords.hash('correct horse')]
    expect(one).not.toBe(two)
    expect(await passwords.matches('correct horse', one)).toBe(true)
    for (const wrong of ['', 'Correct horse', 'correct horse ', 'correct hors', 'correct horse\0', one])
      expect(await passwords.matches(wrong, one)).toBe(false)
  })

  it('matches however a system composes letters', async () => {
    const passwords = cheapPasswords()
    const hash = await passwords.hash('caf\u00e9 noir')
    expect(await passwords.matches('cafe\u0301 noir', hash)).toBe(true)
  })

  it('is outdated once the cost changes, and still matches', async () => {
    const before = new Passwords({ memoryCost: 8, timeCost: 1, parallelism: 1 })
    const after = new Passwords({ memoryCost: 16, timeCost: 2, parallelism: 1 })
    const hash = await before.hash('correct horse')
    expect([before.isOutdated(hash), after.isOutdated(hash)]).toEqual([false, true])
    expect(await after.matches('correct horse', hash)).toBe(true)
  })

  it.each(['', 'correct horse', '\0'.repeat(32)])(
    'that does not exist is matched by nothing, not %j',
    async (p) => {
      expect(await cheapPasswords().matches(p, null)).toBe(false)
    }
  )

  it('of too long a password is not even computed', async () => {
    const passwords = new Passwords({ memoryCost: 1024 * 1024, timeCost: 100, parallelism: 1 })
    expect(await passwords.matches('x'.repeat(1_000_000), null)).toBe(false)
  })

  it('takes as much work to miss as to match', async () => {
    const passwords = new Passwords({ memoryCost: 16384, timeCost: 2, parallelism: 1 })
    const hash = await passwords.hash('correct horse')
    const took = async (against: string | null): Promise<number> => {
      const start = performance.now()
      await passwords.matches('some password', against)
      return performance.now() - start
    }
    const ratios: number[] = []
    for (let i = 0; i < 9; i += 1) ratios.push((await took(null)) / (await took(hash)))
    const median = ratios.sort((a, b) => a - b)[4] ?? 0
    // Without the work, the ratio would be in the thousandths.
    expect(median).toBeGreaterThan(0.3)
  })
})
