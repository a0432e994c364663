/** Rows as aligned columns under their headings, for people; scripts ask for JSON. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [headings, ...rows].map((row) => row.map(printable))
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)))
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd()
    )
    .join('\n')
}

/** A time as people read it: to the second, UTC. */
export const shortTime = (ms: number): string =>
  new Date(ms).toISOString().replace('T', ' ').replace(/\..*/, ' UTC')

/** Clients choose some of these texts, and must not get to steer the terminal they are shown on. */
export const printable = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?')
