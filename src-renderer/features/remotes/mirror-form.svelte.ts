import type { Mirror, MirrorRule } from '../../../src-main/contract/mirrors.ts'
import type { Remote } from '../../../src-main/contract/remotes.ts'

/** What a new rule keeps: enough to be of use, and nothing that fills a disk unasked. */
const usual = { newest: 3, everyMinutes: 6 * 60 }
const megabyte = 1_000_000

/** "virtualbox, libvirt" */
const namesOf = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\s,;]+/)
      .map((name) => name.trim())
      .filter((name) => name !== '')
  )
]

/** A number of 0 or more; null for what is none. */
function wholeOf(text: string): number | null {
  const value = Number(text.trim())
  return text.trim() !== '' && Number.isInteger(value) && value >= 0 ? value : null
}

/** What a person says of a mirror rule. */
export class MirrorForm {
  boxes = $state('')
  allVersions = $state(false)
  newest = $state(String(usual.newest))
  prereleases = $state(false)
  providers = $state('')
  architectures = $state('')
  limited = $state(false)
  largest = $state('4000')
  removeGone = $state(false)
  everyMinutes = $state<number | null>(usual.everyMinutes)
  readonly #remoteId: number
  readonly #enabled: boolean

  constructor(remote: Remote, mirror: Mirror | null) {
    this.#remoteId = remote.id
    this.#enabled = mirror?.enabled ?? true
    if (!mirror) {
      this.boxes = `${remote.organizations[0] ?? '*'}/*`
      return
    }
    this.boxes = mirror.boxes
    this.allVersions = mirror.newest === null
    this.newest = String(mirror.newest ?? usual.newest)
    this.prereleases = mirror.prereleases
    this.providers = mirror.providers.join(', ')
    this.architectures = mirror.architectures.join(', ')
    this.limited = mirror.largestBytes !== null
    if (mirror.largestBytes !== null) this.largest = String(mirror.largestBytes / megabyte)
    this.removeGone = mirror.removeGone
    this.everyMinutes = mirror.everyMinutes
  }

  get newestFault(): string | null {
    const newest = wholeOf(this.newest)
    return this.allVersions || (newest !== null && newest <= 10_000)
      ? null
      : 'A whole number up to 10,000; with 0 the boxes are known, and nothing is fetched.'
  }

  get largestFault(): string | null {
    const largest = Number(this.largest.trim())
    return !this.limited || (this.largest.trim() !== '' && largest >= 0 && largest <= 1e9)
      ? null
      : 'A number of megabytes.'
  }

  /** Null while something of it is no rule. */
  get rule(): MirrorRule | null {
    if (this.boxes.trim() === '' || this.newestFault !== null || this.largestFault !== null) return null
    return {
      remoteId: this.#remoteId,
      boxes: this.boxes.trim(),
      newest: this.allVersions ? null : wholeOf(this.newest),
      prereleases: this.prereleases,
      providers: namesOf(this.providers),
      architectures: namesOf(this.architectures),
      largestBytes: this.limited ? Math.round(Number(this.largest) * megabyte) : null,
      removeGone: this.removeGone,
      everyMinutes: this.everyMinutes,
      enabled: this.#enabled
    }
  }
}
