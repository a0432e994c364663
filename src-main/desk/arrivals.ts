import type { HandlersOf } from './handlers.ts'
import { notYet } from './not-yet.ts'

export const arrivalsHandlers = (): HandlersOf<'arrivals' | 'transfers' | 'clientUpload'> => notYet()
