import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fileVault } from '../../../src-main/vault/vault.ts'
import { tempDir } from '../../support/temp.ts'

const keyFile = 'secret.key'

describe('a vault', () => {
  it('gives back every secret it was given, to the same context alone', () => {
    const vault = fileVault(tempDir())
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), fc.string(), (secret, context, other) => {
        const sealed = vault.seal(secret, context)
        expect(vault.unseal(sealed, context)).toBe(secret)
        if (other !== context) expect(vault.unseal(sealed, other)).toBeNull()
      })
    )
  })

  it('opens nothing that was changed, cut or made up', () => {
    const vault = fileVault(tempDir())
    const sealed = vault.seal('JBSWY3DPEHPK3PXP', 'a')
    fc.assert(
      fc.property(fc.nat(sealed.length - 1), fc.constantFrom(...'Aaz09_-.'), (at, letter) => {
        const changed = sealed.slice(0, at) + letter + sealed.slice(at + 1)
        const sameBytes = Buffer.from(changed.slice(3), 'base64url').equals(
          Buffer.from(sealed.slice(3), 'base64url')
        )
        fc.pre(!sameBytes || !changed.startsWith('v1.'))
        expect(vault.unseal(changed, 'a')).toBeNull()
      })
    )
    fc.assert(fc.property(fc.nat(sealed.length - 2), (n) => vault.unseal(sealed.slice(0, n), 'a') === null))
    fc.assert(fc.property(fc.string(), (text) => vault.unseal(`v1.${text}`, 'a') === null))
  })

  it('seals the same secret differently each time and shows none of it', () => {
    const vault = fileVault(tempDir())
    const sealed = Array.from({ length: 50 }, () => vault.seal('secret', 'a'))
    expect(new Set(sealed).size).toBe(50)
    expect(sealed.join()).not.toContain(Buffer.from('secret').toString('base64url'))
  })

  it('is opened by its own key alone', () => {
    const sealed = fileVault(tempDir()).seal('secret', 'a')
    const another = fileVault(tempDir())
    expect(another.unseal(sealed, 'a')).toBeNull()
    another.seal('x', 'a')
    expect(another.unseal(sealed, 'a')).toBeNull()
  })

  it('makes fingerprints that another machine cannot', () => {
    const [here, there] = [fileVault(tempDir()), fileVault(tempDir())]
    expect(here.mac('123456')).toBe(here.mac('123456'))
    expect(here.mac('123456')).not.toBe(here.mac('123457'))
    expect(here.mac('123456')).not.toBe(there.mac('123456'))
  })
})

describe('the key of a vault', () => {
  it('is made with the first secret, for its owner alone, and found again', () => {
    const dataDir = tempDir()
    const vault = fileVault(dataDir)
    expect(vault.unseal('v1.AAAA', 'a')).toBeNull()
    expect(readdirSync(dataDir)).toEqual([])
    const sealed = vault.seal('secret', 'a')
    expect(readdirSync(dataDir)).toEqual([keyFile])
    expect(statSync(join(dataDir, keyFile)).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(dataDir, keyFile))).toHaveLength(32)
    expect(fileVault(dataDir).unseal(sealed, 'a')).toBe('secret')
  })

  it('is refused by name when it is damaged, and not replaced', () => {
    const dataDir = tempDir()
    const file = join(dataDir, keyFile)
    fileVault(dataDir).seal('secret', 'a')
    truncateSync(file, 10)
    expect(() => fileVault(dataDir).seal('x', 'a')).toThrow(`${file} is damaged`)
    expect(() => fileVault(dataDir).unseal('v1.AAAA', 'a')).toThrow('holds 10')
    expect(readFileSync(file)).toHaveLength(10)
    rmSync(file)
    expect(fileVault(dataDir).seal('x', 'a')).toMatch(/^v1\./)
  })

  it('is one key for all who make it at the same time', async () => {
    const dataDir = tempDir()
    const makers = 4
    const script = join(tempDir(), 'maker.mjs')
    writeFileSync(
      script,
      `import { parentPort, workerData } from 'node:worker_threads'
      const { fileVault } = await import(workerData.module)
      const ready = new Int32Array(workerData.ready)
      Atomics.add(ready, 0, 1)
      while (Atomics.load(ready, 0) < workerData.makers);
      parentPort.postMessage(fileVault(workerData.dataDir).seal('secret', 'a'))`
    )
    const module = new URL('../../../src-main/vault/vault.ts', import.meta.url).href
    const ready = new SharedArrayBuffer(4)
    const sealed = await Promise.all(
      Array.from({ length: makers }, () => {
        const worker = new Worker(script, { workerData: { module, ready, makers, dataDir } })
        return new Promise<string>((resolve, reject) => worker.once('message', resolve).once('error', reject))
      })
    )
    expect(readdirSync(dataDir)).toEqual([keyFile])
    const vault = fileVault(dataDir)
    expect(sealed.map((text) => vault.unseal(text, 'a'))).toEqual(Array(makers).fill('secret'))
  })
})
