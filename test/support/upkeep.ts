import { fsDriver } from '../../src-main/blobs/fs-driver.ts'
import { Upkeep } from '../../src-main/catalog/upkeep/upkeep.ts'
import { onTestFinished } from 'vitest'
import { catalogWorld } from './catalog.ts'

/** The catalogue's services with real files, and the jobs that look after them. */
export async function upkeepWorld() {
  const world = await catalogWorld(fsDriver)
  onTestFinished(() => world.blobs.close())
  const upkeep = new Upkeep({ ...world, recovery: null })
  /** Everything the catalogue says of its boxes, for comparisons. */
  const allBoxes = () =>
    world.accounts
      .organizations()
      .flatMap(({ id, name }) =>
        [...world.boxes.pagesOf({ kind: 'operator' }, id)].flat().map((box) => [name, box.name])
      )
      .map(([organization = '', name = '']) => world.boxes.read({ kind: 'operator' }, organization, name))
  return { ...world, upkeep, allBoxes }
}

export type UpkeepWorld = Awaited<ReturnType<typeof upkeepWorld>>
