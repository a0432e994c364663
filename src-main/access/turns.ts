import { Problem } from '../domain/problem.ts'

/** Lets tasks run one after the other in the order they came, and refuses those for whom the queue is too long. */
export class Turns {
  readonly #mostWaiting: number
  #waiting = 0
  #last: Promise<unknown> = Promise.resolve()

  constructor(mostWaiting: number) {
    this.#mostWaiting = mostWaiting
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#waiting >= this.#mostWaiting)
      throw new Problem('unavailable', 'Too many people are signing in at this moment; try again shortly.')
    this.#waiting += 1
    const turn = this.#last.then(task).finally(() => (this.#waiting -= 1))
    this.#last = turn.catch(() => undefined)
    return turn
  }
}
