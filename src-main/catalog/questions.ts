import type { MessagePort } from 'node:worker_threads'

/** What can be asked of a thread: functions by name, each with at most one argument. */
export type Calls = { readonly [name: string]: (argument: never) => unknown }

/** A call, and its answer under the same number. */
export interface Question {
  readonly number: number
  readonly call: string
  readonly argument: unknown
}
export type Answer =
  | { readonly number: number; readonly value: unknown }
  | { readonly number: number; readonly failure: unknown }

/** The thread's end: answers what comes, one after the other. */
export function answerQuestions(port: MessagePort | null, calls: Calls): void {
  port?.on('message', (question: Question) => port.postMessage(answer(question, calls)))
}

function answer({ number, call, argument }: Question, calls: Calls): Answer {
  try {
    const carryOut = calls[call] as (argument: unknown) => unknown
    return { number, value: carryOut(argument) }
  } catch (failure) {
    return { number, failure }
  }
}
