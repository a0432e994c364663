import { protocol } from 'electron'
import { scheme } from './origin.ts'

/** To be called before Electron is ready: makes app:// a scheme with origins, as safe as https. */
export function declareScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } }
  ])
}
