import { Problem } from '../domain/problem.ts'

/** Stands for handlers nobody has written yet, while they are being written. */
export const notYet = <T>(): T =>
  new Proxy(
    {},
    {
      get: () => {
        throw new Problem('unavailable', 'Not written yet.')
      }
    }
  ) as T
