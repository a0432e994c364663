/** For this long somebody who asked to search still means it. */
const patience = 3_000

let wishedAt = -Infinity

/** Somebody wants to search where there is no field yet: the next one that appears takes the focus. */
export function wishToSearch(): void {
  wishedAt = performance.now()
}

/** Tells a field that appears whether it was waited for; once. */
export function takeWishToSearch(): boolean {
  const wished = performance.now() - wishedAt < patience
  wishedAt = -Infinity
  return wished
}
