import type { HandlersOf } from './handlers.ts'
import { notYet } from './not-yet.ts'

export const settingsHandlers = (): HandlersOf<'about' | 'status' | 'settings' | 'preferences'> => notYet()
