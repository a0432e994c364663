import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { servingProcess, takeServeLock, takeUpkeepLock } from '../../../src-main/store/locks.ts'
import { tempDir } from '../../support/temp.ts'

const holderScript = `
  import { takeServeLock } from ${JSON.stringify(new URL('../../../src-main/store/locks.ts', import.meta.url).href)}
  const lock = takeServeLock(process.argv[1])
  lock.describe({ url: 'http://127.0.0.1:7575' })
  setInterval(() => {}, 1000)
  // Nothing refers to the lock any more: it has to outlast the garbage collection that follows.
  setTimeout(() => { gc(); setTimeout(() => process.stdout.write('held'), 10) }, 10)
`

/** Another process that serves the folder, as far as the lock can tell. */
async function holder(dataDir: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', holderScript, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child
}

describe('the serve lock', () => {
  it('refuses a second server and names the first', async () => {
    const dataDir = tempDir()
    const child = await holder(dataDir)
    expect(() => takeServeLock(dataDir)).toThrow(
      `Boxyard is already serving this folder: http://127.0.0.1:7575 (process ${child.pid}).`
    )
    expect(servingProcess(dataDir)).toMatchObject({ pid: child.pid, url: 'http://127.0.0.1:7575' })
  })

  it.each(['SIGKILL', 'SIGTERM'] as const)('is free as soon as its holder has died of %s', async (signal) => {
    const dataDir = tempDir()
    const child = await holder(dataDir)
    child.kill(signal)
    await once(child, 'exit')
    expect(servingProcess(dataDir)).toBeNull()
    takeServeLock(dataDir).release()
  })

  it('holds within one process too, until it is released', () => {
    const dataDir = join(tempDir(), 'new')
    const lock = takeServeLock(dataDir)
    expect(() => takeServeLock(dataDir)).toThrow(`starting (process ${process.pid})`)
    lock.release()
    lock.release()
    expect(servingProcess(dataDir)).toBeNull()
    takeServeLock(dataDir).release()
  })

  it('does not take what a dead process wrote beside it for a holder', () => {
    const dataDir = tempDir()
    writeFileSync(join(dataDir, 'serve.lock.json'), '{"pid":1,"what":"serve","since":1}')
    expect(servingProcess(dataDir)).toBeNull()
    const lock = takeServeLock(dataDir)
    expect(servingProcess(dataDir)?.pid).toBe(process.pid)
    lock.release()
    expect(existsSync(join(dataDir, 'serve.lock.json'))).toBe(false)
  })

  it('says so when the folder is a file', () => {
    const file = join(tempDir(), 'file')
    writeFileSync(file, '')
    expect(() => takeServeLock(file)).toThrow(/The data folder .* cannot be used/)
  })
})

describe('the upkeep lock', () => {
  it('lets one job at a time work on a folder, and says which one it is', () => {
    const dataDir = tempDir()
    const gc = takeUpkeepLock(dataDir, 'gc')
    expect(() => takeUpkeepLock(dataDir, 'verify')).toThrow(
      `Another job is at work on this folder: gc (process ${process.pid}).`
    )
    gc.release()
    takeUpkeepLock(dataDir, 'verify').release()
  })

  it('does not stand in the way of a server', () => {
    const dataDir = tempDir()
    const serve = takeServeLock(dataDir)
    const gc = takeUpkeepLock(dataDir, 'gc')
    serve.release()
    gc.release()
  })
})
