const units = ['bytes', 'kB', 'MB', 'GB', 'TB']

/** A count of bytes as people say it, in sentences of the product and in the interface alike: "1.4 GB". */
export function sizeText(bytes: number): string {
  let unit = 0
  let amount = bytes
  while (amount >= 999.5 && unit < units.length - 1) {
    amount /= 1000
    unit += 1
  }
  const text = unit === 0 || amount >= 99.95 ? Math.round(amount).toString() : amount.toFixed(1)
  return `${text} ${bytes === 1 ? 'byte' : units[unit]}`
}
