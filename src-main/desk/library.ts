import type { HandlersOf } from './handlers.ts'
import { notYet } from './not-yet.ts'

export const libraryHandlers = (): HandlersOf<'library'> => notYet()
