import { app, dialog } from 'electron'
import type { Log } from '../log.ts'

/** Where this program keeps what is no box: its log, the place of its window. */
export const userFolder = (): string => app.getPath('userData')

/** Whoever ends the program from outside is not asked whether it may. */
export function endOnSignals(desktop: { leave(how: { ask: boolean }): Promise<void> }): void {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => void desktop.leave({ ask: false }))
}

/** After something nobody has caught, nobody knows what still holds: what was saved is safe, and a start is quick. */
export function endOnFault(log: Log, logFile: string): void {
  process.on('uncaughtException', (error) => {
    log.error('a fault in the program', error)
    dialog.showErrorBox('Boxyard has to end', `A fault in the program: ${error.message}\n\nSee ${logFile}`)
    app.exit(1)
  })
}
