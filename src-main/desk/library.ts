import type { Boxes } from '../catalog/boxes.ts'
import type { Library } from '../catalog/library.ts'
import { operator } from '../domain/model.ts'
import type { HandlersOf } from './handlers.ts'

/** The Library place: boxes found, and what is done with many of them. */
export const libraryHandlers = ({
  library,
  boxes
}: {
  library: Library
  boxes: Boxes
}): HandlersOf<'library'> => ({
  'library.find': (window) => library.find(window),
  'library.range': (range) => library.range(range),
  'library.facets': () => library.facets(),
  'library.setPrivate': async ({ ids, private: isPrivate }) => ({
    changed: await boxes.setPrivateOfMany(operator, ids, isPrivate)
  }),
  'library.remove': ({ ids }) => boxes.removeMany(operator, ids)
})
