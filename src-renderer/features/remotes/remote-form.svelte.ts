import type { NewRemote, Remote, RemoteChanges, RemoteFinding } from '../../../src-main/contract/remotes.ts'
import { ask } from '../../api.ts'
import { refusalOf } from '../../app/live.svelte.ts'
import { isFolder, isOpenToReaders } from './address.ts'

/** An organization that is called otherwise at the remote. */
interface Renamed {
  readonly id: number
  here: string
  there: string
}

/** How often a new one is looked at, in minutes. */
const usualCheck = 30

/** What a person types for a remote, and what trying exactly that has found. */
export class RemoteForm {
  location = $state('')
  token = $state('')
  /** Of a remote that has one: it is taken away. */
  withoutToken = $state(false)
  certificates = $state('')
  withoutCertificates = $state(false)
  allowPlainHttp = $state(false)
  name = $state('')
  renamed = $state<Renamed[]>([])
  checkMinutes = $state<number | null>(usualCheck)

  /** Why the last try, or the last save, was refused. */
  refused = $state.raw<readonly string[]>([])
  busy = $state(false)

  #finding = $state.raw<{ readonly of: string; readonly found: RemoteFinding } | null>(null)
  #nameIsOwn = false
  #ids = 0
  /** Counts tokens that were dropped: what is found with one of those is not taken in. */
  #dropped = 0
  readonly #before: Remote | null

  constructor(remote: Remote | null) {
    this.#before = remote
    if (!remote) return
    this.location = remote.location
    this.allowPlainHttp = remote.allowPlainHttp
    this.name = remote.name
    this.#nameIsOwn = true
    this.checkMinutes = remote.checkMinutes
    for (const [here, there] of Object.entries(remote.organizationMap)) this.addRenamed(here, there)
  }

  get isFolder(): boolean {
    return isFolder(this.location)
  }

  get needsConsent(): boolean {
    return isOpenToReaders(this.location)
  }

  get canBeTried(): boolean {
    return this.location.trim() !== '' && (!this.needsConsent || this.allowPlainHttp)
  }

  /** What was found by trying what is typed now; null when that was not tried. */
  get finding(): RemoteFinding | null {
    return this.#finding && this.#finding.of === this.#tried ? this.#finding.found : null
  }

  /** Something was found before, and was changed since. */
  get isStale(): boolean {
    return this.#finding !== null && this.finding === null
  }

  get isEmpty(): boolean {
    return [this.location, this.certificates, this.name].every((text) => text.trim() === '')
  }

  dropToken(): void {
    this.token = ''
    this.refused = []
    this.#finding = null
    this.#dropped += 1
  }

  addRenamed(here = '', there = ''): void {
    this.renamed.push({ id: (this.#ids += 1), here, there })
  }

  removeRenamed(id: number): void {
    this.renamed = this.renamed.filter((one) => one.id !== id)
  }

  typedName(): void {
    this.#nameIsOwn = this.name.trim() !== ''
  }

  /** Asks it who it is. */
  async try(): Promise<void> {
    const of = this.#tried
    const dropped = this.#dropped
    await this.#guarded(async () => {
      const found = await ask('remotes.test', this.#access)
      if (dropped !== this.#dropped) return
      this.#finding = { of, found }
      if (!this.#nameIsOwn) this.name = found.suggestedName
    })
  }

  add(): Promise<Remote | undefined> {
    return this.#guarded(() =>
      ask('remotes.add', {
        ...this.#access,
        name: this.name.trim(),
        organizationMap: this.#map,
        checkMinutes: this.checkMinutes
      })
    )
  }

  save(): Promise<Remote | undefined> {
    const before = this.#before
    if (!before) return Promise.resolve(undefined)
    const token = this.withoutToken ? '' : this.token
    const certificates = this.withoutCertificates ? '' : this.certificates.trim()
    const changes: RemoteChanges = {
      name: this.name.trim(),
      organizationMap: this.#map,
      checkMinutes: this.checkMinutes,
      ...(this.location.trim() !== before.location && { location: this.location.trim() }),
      ...((token !== '' || this.withoutToken) && { token }),
      ...((certificates !== '' || this.withoutCertificates) && { certificates }),
      ...(this.allowPlainHttp !== before.allowPlainHttp && { allowPlainHttp: this.allowPlainHttp })
    }
    return this.#guarded(() => ask('remotes.change', { id: before.id, changes }))
  }

  get #map(): Record<string, string> {
    return Object.fromEntries(
      this.renamed
        .map(({ here, there }) => [here.trim(), there.trim()])
        .filter(([here, there]) => here !== '' && there !== '')
    )
  }

  /** What matters for reaching it. */
  get #access(): NewRemote {
    return {
      location: this.location.trim(),
      ...(!this.isFolder && {
        ...(this.token !== '' && { token: this.token.trim() }),
        ...(this.certificates.trim() !== '' && { certificates: this.certificates.trim() }),
        ...(this.needsConsent && { allowPlainHttp: this.allowPlainHttp })
      })
    }
  }

  get #tried(): string {
    return JSON.stringify(this.#access)
  }

  async #guarded<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (this.busy) return undefined
    this.busy = true
    this.refused = []
    try {
      return await work()
    } catch (error) {
      this.refused = refusalOf(error).sentences
      return undefined
    } finally {
      this.busy = false
    }
  }
}
