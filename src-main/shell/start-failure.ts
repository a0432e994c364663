import { Problem } from '../domain/problem.ts'
import type { Question } from './questions.ts'

export type StartAnswer = 'Try again' | 'Choose another folder…' | 'Show the log' | 'Quit'

/** What a person is told, and may choose, when the product could not be started on its folder. */
export function startQuestion(error: unknown, dataDir: string): Question<StartAnswer> {
  const kind = 'error'
  if (error instanceof Problem && error.kind === 'conflict')
    return {
      kind,
      message: 'Another Boxyard serves this folder.',
      detail: `${error.sentences.join('\n')}\n\nData folder: ${dataDir}`,
      answers: ['Try again', 'Choose another folder…', 'Quit']
    }
  if (error instanceof Problem)
    return {
      kind,
      message: 'The data folder cannot be used.',
      detail: `${error.sentences.join('\n')}\n\nData folder: ${dataDir}`,
      answers: ['Try again', 'Choose another folder…', 'Show the log', 'Quit']
    }
  return {
    kind,
    message: 'Boxyard could not start.',
    detail: `A fault in the program kept it from opening ${dataDir}; nothing in it was changed. The log says more.\n\n${
      error instanceof Error ? error.message : String(error)
    }`,
    answers: ['Try again', 'Choose another folder…', 'Show the log', 'Quit']
  }
}
