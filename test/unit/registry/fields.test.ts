import { describe, expect, it } from 'vitest'
import { Problem } from '../../../src-main/domain/problem.ts'
import {
  boxFields,
  boxKeys,
  check,
  providerFields,
  unwrap,
  unwrapOptional
} from '../../../src-main/registry/fields.ts'

describe('unwrap', () => {
  it.each([
    [{ box: { name: 'a' } }, { name: 'a' }],
    [{ name: 'a' }, { name: 'a' }],
    [
      { box: null, name: 'a' },
      { box: null, name: 'a' }
    ],
    [{ box: {} }, {}]
  ])('%j holds %j', (body, fields) => expect(unwrap(body, 'box', boxKeys)).toEqual(fields))

  it.each([
    undefined,
    null,
    'box',
    5,
    [],
    [{ name: 'a' }],
    {},
    { box: 'x' },
    { box: [] },
    { bax: { name: 'a' } }
  ])('%j holds no fields', (body) =>
    expect(() => unwrap(body, 'box', boxKeys)).toThrow(new Problem('invalid', 'box parameter is required!'))
  )

  it('takes no flat fields where none are named', () => {
    expect(() => unwrap({ name: 'a' }, 'provider')).toThrow('provider parameter is required!')
  })

  it('is not fooled by what every object inherits', () => {
    expect(() => unwrap({}, 'constructor', ['toString', '__proto__'])).toThrow(
      'constructor parameter is required!'
    )
  })
})

describe('unwrapOptional', () => {
  it.each([[{}], [undefined], [{ token: null }]])('%j has no fields', (body) =>
    expect(unwrapOptional(body, 'token')).toEqual({})
  )
  it('must hold fields if it is there', () => {
    expect(() => unwrapOptional({ token: 'x' }, 'token')).toThrow('The token parameter must hold fields.')
  })
})

describe('check', () => {
  it.each([
    [true, true],
    [false, false],
    ['true', true],
    ['false', false],
    ['1', true],
    ['0', false],
    [1, true],
    [0, false],
    [null, null],
    ['', null],
    [undefined, null]
  ])('reads is_private %j as %j', (written, meant) =>
    expect(check(boxFields, { is_private: written }).private).toBe(meant)
  )

  it.each(['yes', 'TRUE', 2, {}, [], [true]])('takes no is_private %j', (written) =>
    expect(() => check(boxFields, { is_private: written })).toThrow(
      'The is_private of a box must be true or false.'
    )
  )

  it('takes absent and null for "leave it"', () => {
    const nothing = {
      provider: null,
      url: null,
      checksum: null,
      checksumType: null,
      architecture: null,
      isDefault: null
    }
    expect(check(providerFields, {})).toEqual(nothing)
    expect(check(providerFields, { name: null, url: null, checksum: null, checksum_type: null })).toEqual(
      nothing
    )
  })

  it('passes over what it does not know', () => {
    const fields = JSON.parse('{"name":"a","__proto__":{"url":"x"},"extra":1}') as object
    expect(check(providerFields, fields)).toMatchObject({ provider: 'a', url: null })
  })
})
