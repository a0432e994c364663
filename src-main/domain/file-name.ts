import { numberFault } from './version-number.ts'

/** What a file's name says of the box in it. */
export interface NamedBox {
  /** Fit for a box name; '' when nothing of the file name is. */
  readonly name: string
  readonly version: string | null
}

const longestShown = 255

/**
 * Strangers name files: without what breaks lines, moves the cursor or turns the order of letters around, so that no
 * name reads as another, or as a sentence of ours.
 */
export function shownFileName(name: string): string {
  const shown = name.replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, '\uFFFD')
  return shown.length > longestShown
    ? `${shown.slice(0, longestShown - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
    : shown
}

const endings = /\.(?:box|tar\.gz|tgz|tar)$/i

/** Three counts at least: people write "debian-12" and "ubuntu-22.04" and mean the name. */
const versionSuffix =
  /^(.+?)[-_ ]v?([0-9]+\.[0-9]+\.[0-9]+(?:\.[0-9]+)*(?:-(?:alpha|beta|rc|pre|dev)[0-9.]*)?)$/i

const longestName = 128

/** Reads "base-1.2.0-virtualbox.box"; what the file says of itself, its provider for one, is no part of its name. */
export function boxNamedBy(fileName: string, saidInside: readonly (string | null)[] = []): NamedBox {
  const whole = withoutSuffixes(fileName.replace(endings, ''), saidInside)
  const [, name = whole, number = null] = versionSuffix.exec(whole) ?? []
  return number !== null && numberFault(number) === null
    ? { name: sanitised(withoutSuffixes(name, saidInside)), version: number }
    : { name: sanitised(whole), version: null }
}

function withoutSuffixes(text: string, suffixes: readonly (string | null)[]): string {
  for (const suffix of suffixes) {
    if (!suffix) continue
    const end = text.slice(-suffix.length - 1)
    const rest = text.slice(0, -suffix.length - 1)
    if (rest !== '' && /^[-_. ]/.test(end) && end.slice(1).toLowerCase() === suffix.toLowerCase())
      return withoutSuffixes(rest, suffixes)
  }
  return text
}

const sanitised = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, longestName)
    .replace(/[-._]+$/, '')
