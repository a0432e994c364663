/** Whether every word of what was typed is in one of the texts, wherever. */
export function matches(typed: string, ...texts: readonly string[]): boolean {
  const text = texts.join(' ').toLowerCase()
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
