/** Milliseconds a Retry-After header asks to wait, written as seconds or as a date; null when it says nothing usable. */
export function retryAfterOf(header: string | undefined, now: number = Date.now()): number | null {
  const text = header?.trim() ?? ''
  if (/^\d{1,15}(\.\d{1,15})?$/.test(text)) return Math.ceil(Number(text) * 1000)
  // Dates alone: others would be taken for one by a lenient parser.
  if (!/^[A-Za-z]{3,9},? /.test(text)) return null
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}
