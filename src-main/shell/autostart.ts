import { Problem } from '../domain/problem.ts'

/** The file a Linux desktop starts programs by. */
export const autostartEntry = (command: readonly string[]): string =>
  [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Boxyard',
    'Comment=Serves the boxes on this machine',
    `Exec=${[...command, '--hidden'].map(quoted).join(' ')}`,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    ''
  ].join('\n')

/** As the Desktop Entry specification has it: its own quoting, within the escapes of its strings; "%" begins a code. */
function quoted(word: string): string {
  // A line of its own in this file would be an entry of its own.
  if (/\p{Cc}/u.test(word))
    throw new Problem('invalid', 'A program whose path holds control characters cannot be started at login.')
  if (/^[A-Za-z0-9_@+:,./=-]+$/.test(word)) return word
  const inner = word.replaceAll(/["`$\\]/g, (sign) => `\\${sign}`)
  return `"${inner.replaceAll('\\', '\\\\').replaceAll('%', '%%')}"`
}
