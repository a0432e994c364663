import { sha256 } from '../support/sha256.ts'

/** An answer that is not the one hoped for. */
export class Refused extends Error {
  readonly status: number
  readonly errors: readonly string[]

  constructor(status: number, body: string) {
    super(`${status} ${body}`)
    this.status = status
    this.errors = readErrors(body)
  }
}

function readErrors(body: string): readonly string[] {
  try {
    return (JSON.parse(body) as { errors?: string[] }).errors ?? []
  } catch {
    return []
  }
}

interface ProviderJson {
  name: string
  checksum: string | null
  download_url: string
}
interface VersionJson {
  version: string
  status: 'unreleased' | 'active' | 'revoked'
  providers: ProviderJson[]
}

/** What a version is to its clients; the image is null as long as it has no bytes. */
export interface SeenVersion {
  readonly status: string
  readonly provider: boolean
  readonly sha256: string | null
}

/** What a box is to its clients, with its bytes read to the end; null when it is not there. */
export type SeenBox = Readonly<Record<string, SeenVersion>> | null

/** Drives the API as an ordinary client does; each call resolves once the change was acknowledged. */
export class Client {
  readonly #url: string
  readonly #token: string

  constructor(url: string, token: string) {
    this.#url = url
    this.#token = token
  }

  createBox = (name: string) =>
    this.#json('POST', '/boxes', { box: { username: 'acme', name, is_private: false } })

  deleteBox = (name: string) => this.#json('DELETE', `/box/acme/${name}`)

  createVersion = (box: string, version: string) =>
    this.#json('POST', `/box/acme/${box}/versions`, { version: { version } })

  deleteVersion = (box: string, version: string) =>
    this.#json('DELETE', `/box/acme/${box}/version/${version}`)

  release = (box: string, version: string) => this.#json('PUT', `/box/acme/${box}/version/${version}/release`)

  createProvider = (box: string, version: string) =>
    this.#json('POST', `/box/acme/${box}/version/${version}/providers`, {
      provider: { name: 'virtualbox', architecture: 'amd64' }
    })

  async uploadPath(box: string, version: string): Promise<string> {
    const answer = await this.#json('GET', `${providerPath(box, version)}/upload`)
    return (answer as { upload_path: string }).upload_path
  }

  async upload(box: string, version: string, bytes: Buffer): Promise<void> {
    await put(await this.uploadPath(box, version), bytes)
  }

  async uploadDirect(box: string, version: string, bytes: Buffer): Promise<void> {
    const answer = await this.#json('GET', `${providerPath(box, version)}/upload/direct`)
    const { upload_path, callback } = answer as { upload_path: string; callback: string }
    await put(upload_path, bytes)
    await this.#fetch('PUT', callback)
  }

  /** Everything a client can see of a box. Bytes that are not those of their checksum are an error. */
  async see(name: string): Promise<SeenBox> {
    const box = await this.#json('GET', `/box/acme/${name}`).catch((error: unknown) => {
      if (error instanceof Refused && error.status === 404) return null
      throw error
    })
    if (box === null) return null
    const seen: Record<string, SeenVersion> = {}
    for (const { version, status, providers } of (box as { versions: VersionJson[] }).versions) {
      const [provider] = providers
      const sha = provider?.checksum ? await this.#download(provider) : null
      seen[version] = { status, provider: provider !== undefined, sha256: sha }
    }
    return seen
  }

  async #download(provider: ProviderJson): Promise<string> {
    const response = await this.#fetch('GET', provider.download_url)
    const found = sha256(Buffer.from(await response.arrayBuffer()))
    if (found !== provider.checksum)
      throw new Error(`${provider.download_url} gave ${found}, not ${provider.checksum}`)
    return found
  }

  async #json(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await this.#fetch(method, `${this.#url}/api/v2${path}`, body)
    return response.json()
  }

  async #fetch(method: string, url: string, body?: unknown): Promise<Response> {
    const response = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) })
    })
    if (!response.ok) throw new Refused(response.status, await response.text())
    return response
  }
}

export async function put(url: string, body: Buffer | ReadableStream): Promise<void> {
  const response = await fetch(url, { method: 'PUT', body, duplex: 'half' } as RequestInit)
  if (!response.ok) throw new Refused(response.status, await response.text())
  await response.text()
}

const providerPath = (box: string, version: string): string =>
  `/box/acme/${box}/version/${version}/provider/virtualbox/amd64`
