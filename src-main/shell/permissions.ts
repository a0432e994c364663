import type { Session } from 'electron'
import { isOurs } from './origin.ts'

/** What the window may do beyond showing itself. Everything else is refused (item 5). */
const allowed: Readonly<Record<string, string>> = {
  'clipboard-sanitized-write': 'copy buttons put tags, checksums and commands on the clipboard'
}

/** Whether a page may have a permission. */
export const mayHave = (permission: string, page: string): boolean =>
  Object.hasOwn(allowed, permission) && isOurs(page)

/** Answers every request and every silent check for a permission, and hands out no devices. */
export function guardPermissions(session: Session): void {
  session.setPermissionRequestHandler((contents, permission, answer, details) =>
    answer(details.isMainFrame && mayHave(permission, details.requestingUrl || contents.getURL()))
  )
  session.setPermissionCheckHandler((contents, permission, requestingOrigin) =>
    mayHave(permission, requestingOrigin || (contents?.getURL() ?? ''))
  )
  session.setDevicePermissionHandler(() => false)
  session.setBluetoothPairingHandler((_details, answer) => answer({ confirmed: false }))
}
