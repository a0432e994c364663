import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

const largest = 1024 * 1024

/**
 * Writes lines to a file that never grows beyond a megabyte: then it becomes the old one, of which there is one. Returns
 * what writes a line; a disk that takes none loses it rather than stopping the program.
 */
export function logFile(file: string, mostBytes = largest): (line: string) => void {
  let size = 0
  try {
    mkdirSync(dirname(file), { recursive: true })
    size = statSync(file).size
  } catch {
    // Not there yet.
  }
  return (line) => {
    try {
      const bytes = Buffer.byteLength(line)
      if (size > 0 && size + bytes > mostBytes) {
        renameSync(file, `${file}.old`)
        size = 0
      }
      appendFileSync(file, line, { mode: 0o600 })
      size += bytes
    } catch {
      // Nowhere to say so.
    }
  }
}
