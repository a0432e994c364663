import type { Caller } from '../domain/model.ts'
import { Problem } from '../domain/problem.ts'
import type { StoredBox } from '../store/boxes.ts'
import { mirroredTable, type MirroredFrom } from '../store/mirrored.ts'
import type { Db } from '../store/open.ts'

type Named = Pick<StoredBox, 'id' | 'organization' | 'name'>

/** Refuses to change a box for whom it is not: a mirrored one changes with its remote alone, an own one never with a remote's. */
export type MirrorGuard = (caller: Caller, box: Named) => void

export function mirrorGuard(db: Db): MirrorGuard {
  const mirrored = mirroredTable(db)
  return (caller, box) => {
    const from = mirrored.of(box.id)
    const remoteId = caller.kind === 'operator' ? caller.mirrorOf : undefined
    if (remoteId === undefined) {
      if (from) throw readOnly(box, from)
    } else if (from?.remoteId !== remoteId) throw notIts(box, from)
  }
}

export const readOnly = ({ organization, name }: Omit<Named, 'id'>, { remoteName }: MirroredFrom): Problem =>
  new Problem(
    'forbidden',
    `${organization}/${name} is a mirror of the box at ${remoteName}: its changes come from there, and it cannot be changed here.`,
    'Fork it first: then it is a box of its own, and no longer follows the one there.'
  )

const notIts = ({ organization, name }: Named, from: MirroredFrom | null): Problem =>
  new Problem(
    'conflict',
    from
      ? `${organization}/${name} is a mirror of the box at ${from.remoteName}, so it cannot be a mirror of another remote's as well.`
      : `There is a box ${organization}/${name} of its own here, so it is not made a mirror.`,
    'Rename or delete the one here to have the other one mirrored.'
  )
