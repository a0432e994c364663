/** What the choice of a default needs to know of an image. */
export interface DefaultCandidate {
  readonly id: number
  readonly isDefault: boolean
}

/**
 * Which of the images of one provider name in a version is served to clients that know no architectures, after a
 * change: the one that asks for it, else the one that has been it, else the oldest. So there is always exactly one,
 * and saying "not the default" of the default changes nothing.
 *
 * `images` are those there are after the change, oldest first; one that comes from another provider name arrives
 * without being the default of this one.
 */
export function defaultOf(images: readonly DefaultCandidate[], wanted: number | null): number | null {
  const chosen =
    images.find(({ id }) => id === wanted) ?? images.find(({ isDefault }) => isDefault) ?? images[0]
  return chosen?.id ?? null
}
