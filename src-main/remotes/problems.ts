import { Problem } from '../domain/problem.ts'
import { RemoteFailure } from './failure.ts'

/** A failure as every face knows how to show it. */
export function asProblem(failure: RemoteFailure): Problem {
  const { kind, sentences } = failure
  if (kind === 'offline' || kind === 'busy' || kind === 'rate-limited')
    return new Problem('unavailable', ...sentences)
  if (kind === 'another') return new Problem('conflict', ...sentences)
  return new Problem(kind === 'no-room' ? 'no-room' : 'invalid', ...sentences)
}

/** Does what a person waits for: what goes wrong at a remote is a Problem then. */
export async function forPerson<T>(work: () => Promise<T> | T): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof RemoteFailure ? asProblem(error) : error
  }
}
