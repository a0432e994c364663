import { architectureFault } from '../../domain/architecture.ts'
import { declare, nothingDeclared } from '../../domain/checksum.ts'
import { nameFault } from '../../domain/names.ts'
import { descriptionFault, shortDescriptionFault } from '../../domain/texts.ts'
import { numberFault } from '../../domain/version-number.ts'
import type { Sidecar } from '../sidecars.ts'

/** One image of one version that a sidecar says its blob is the file of. */
export type SidecarUse = Sidecar['uses'][number]

/** The last millisecond of the year 9999: later ones cannot be written as a date that clients read. */
const lastMoment = 253_402_300_799_999

/** How people know it. Its parts may be anything of any length. */
export const nameOfUse = ({ organization, box, version, image }: SidecarUse): string =>
  [`${organization.name}/${box.name}`, version.number, 'for', image.provider, 'on', image.architecture]
    .map((part) => part.slice(0, 260))
    .join(' ')

/** Says which rule for clients a use breaks, or nothing. */
export function faultOfUse({ organization, box, version, image }: SidecarUse, sha256: string): string | null {
  const times = [organization.createdAt, box.createdAt, version.createdAt, version.updatedAt, image.createdAt]
  return (
    nameFault('The organization name', organization.name) ??
    descriptionFault(organization.profile) ??
    nameFault('The box name', box.name) ??
    shortDescriptionFault(box.shortDescription) ??
    descriptionFault(box.description) ??
    numberFault(version.number) ??
    descriptionFault(version.description) ??
    nameFault('The provider name', image.provider) ??
    architectureFault(image.architecture) ??
    checksumFault(image, sha256) ??
    (times.every(isMoment) ? null : 'It holds a time that is none.')
  )
}

function checksumFault(
  { checksum, checksumType, expected }: SidecarUse['image'],
  sha256: string
): string | null {
  const type = checksumType ?? 'sha256'
  for (const given of [checksum, expected ?? checksum]) {
    const declared = declare(nothingDeclared, { checksum: given, checksumType: type })
    if ('faults' in declared) return declared.faults.join(' ')
    if (declared.expected !== given) return `The checksum ${JSON.stringify(given)} is none.`
  }
  return type === 'sha256' && checksum !== sha256 ? 'Its checksum is that of another file.' : null
}

const isMoment = (time: number): boolean => Number.isSafeInteger(time) && time >= 0 && time <= lastMoment
