import { origin } from './origin.ts'

/** What is known of whoever sent a message. */
export interface Sender {
  readonly isOurWindow: boolean
  readonly isTopFrame: boolean
  readonly origin: string | null
}

/** Only the page we loaded, in the window we made: no frame inside it, no page it might have been led to. */
export const isTrusted = (sender: Sender): boolean =>
  sender.isOurWindow && sender.isTopFrame && sender.origin === origin
