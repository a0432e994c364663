/** Holds the place of what is being written. */
export const unwritten = (): never => {
  throw new Error('not written yet')
}
