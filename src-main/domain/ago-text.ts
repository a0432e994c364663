const hour = 3_600_000

/** How long something is past, as precisely as anybody wants to know: "5 hours ago", "3 days ago". */
export function agoText(ms: number): string {
  const hours = Math.floor(ms / hour)
  if (hours < 1) return 'less than an hour ago'
  if (hours < 48) return `${hours} ${hours === 1 ? 'hour' : 'hours'} ago`
  return `${Math.floor(hours / 24)} days ago`
}
