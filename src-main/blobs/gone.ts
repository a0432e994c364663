import { Problem } from '../domain/problem.ts'

/** The refusal to commit what is neither staged nor in the store. */
export const bytesGone = (): Problem =>
  new Problem(
    'missing',
    'The bytes of this file are no longer in the data folder: somebody removed them there. Add the file again.'
  )
