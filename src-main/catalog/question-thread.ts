import { Worker } from 'node:worker_threads'
import { workerFile } from '../worker-file.ts'
import type { Answer, Question } from './questions.ts'

interface Waiting {
  resolve(value: unknown): void
  reject(reason: unknown): void
}

/** What a thread can be asked, as an interface of functions. */
type CallsOf<T> = { readonly [N in keyof T]: (argument: never) => unknown }

/** One life of a thread that answers questions, and who waits for its answers. */
export class QuestionThread<C extends CallsOf<C>> {
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  #asked = 0
  #alive = true

  /** `ended` is what those are told whose answer does not come any more. */
  constructor(file: `${string}-worker.ts`, workerData: unknown, ended: () => Error) {
    this.#worker = new Worker(workerFile(file), { workerData })
    this.#worker.on('message', (answer: Answer) => this.#settle(answer))
    this.#worker.on('error', (error) => this.#die(error))
    this.#worker.on('exit', () => this.#die(ended()))
  }

  get alive(): boolean {
    return this.#alive
  }

  get busy(): boolean {
    return this.#waiting.size > 0
  }

  ask<N extends keyof C & string>(call: N, ...[argument]: Parameters<C[N]>): Promise<ReturnType<C[N]>> {
    const answer = new Promise<unknown>((resolve, reject) => {
      const question: Question = { number: ++this.#asked, call, argument }
      this.#waiting.set(question.number, { resolve, reject })
      this.#worker.postMessage(question)
    })
    // The thread carries out the call it was asked.
    return answer as Promise<ReturnType<C[N]>>
  }

  async end(): Promise<void> {
    await this.#worker.terminate()
  }

  #settle(answer: Answer): void {
    const waiting = this.#waiting.get(answer.number)
    this.#waiting.delete(answer.number)
    if ('value' in answer) waiting?.resolve(answer.value)
    else waiting?.reject(answer.failure)
  }

  #die(reason: Error): void {
    this.#alive = false
    for (const waiting of this.#waiting.values()) waiting.reject(reason)
    this.#waiting.clear()
  }
}
