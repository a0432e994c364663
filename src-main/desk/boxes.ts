import type { HandlersOf } from './handlers.ts'
import { notYet } from './not-yet.ts'

export const boxesHandlers = (): HandlersOf<'box' | 'version' | 'image' | 'trash' | 'text'> => notYet()
