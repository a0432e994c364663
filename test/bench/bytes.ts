import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fsDriver } from '../../src-main/blobs/fs-driver.ts'

/**
 * Seconds it takes to hash, inspect and store a local file, in a store of its own on the same disk, thread started.
 * A file that is given away is linked instead of copied; the name it had stays.
 */
export async function takeFileSeconds(file: string, givenAway: boolean): Promise<number> {
  const dir = await mkdtemp(join(dirname(file), 'take-file-'))
  const driver = fsDriver(dir)
  try {
    const small = join(dir, 'small')
    await writeFile(small, 'x')
    await driver.discard(await driver.takeFile(small))
    const start = performance.now()
    await driver.commit(await driver.takeFile(file, { givenAway }))
    return (performance.now() - start) / 1000
  } finally {
    await driver.close()
    await rm(dir, { recursive: true, force: true })
  }
}
