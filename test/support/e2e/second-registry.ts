import { boxyard, serve, type Served } from '../product.ts'
import { writeBoxFile, type BoxFileOptions } from './box-file.ts'
import { environment, makeFolders, type Folders } from './folders.ts'

/** What is put into a second registry. */
export interface ThereOptions extends BoxFileOptions {
  readonly box: string
  readonly version: string
  /** Its organization; the owner's unless another is named, which is made then. */
  readonly organization?: string
  readonly release?: boolean
}

/** Another Boxyard in a process of its own, on this machine: what a remote is in tests. */
export class SecondRegistry {
  readonly folders: Folders
  /** What its server said; shown by whoever wants to know why. */
  readonly log: string[] = []
  #served: Served | null = null
  #port = 0
  #url = ''
  #owner = ''
  #token = ''
  readonly #organizations = new Set<string>()

  constructor(folders: Folders) {
    this.folders = folders
  }

  /** Serves, on a port or a free one, and has a token of its owner. To be ended with `remove()`. */
  static async start(port = 0): Promise<SecondRegistry> {
    const registry = new SecondRegistry(makeFolders())
    registry.#port = port
    await registry.start()
    registry.#token = await registry.cli(['token', 'create', '--description', 'the other one'])
    return registry
  }

  get url(): string {
    return this.#url
  }

  get port(): number {
    return this.#port
  }

  get token(): string {
    return this.#token
  }

  /** Also the name of an organization. */
  get owner(): string {
    return this.#owner
  }

  /** The same again, on the same port: what was cut off is there again. */
  async start(): Promise<void> {
    const { data } = this.folders
    const port = ['--port', String(this.#port)]
    this.#served = await serve(data, port, environment(this.folders), (line) => this.log.push(line))
    this.#url = this.#served.url
    this.#owner = this.#served.owner
    this.#organizations.add(this.#owner)
    this.#port = Number(new URL(this.#url).port)
  }

  /** Ends it as a person would. Nothing answers there until `start()`. */
  async stop(): Promise<void> {
    const served = this.#served
    this.#served = null
    await served?.stop()
  }

  /** Ends it as a power cut would. */
  async kill(): Promise<void> {
    const served = this.#served
    this.#served = null
    if (!served) return
    const ended = new Promise((resolve) => served.process.once('exit', resolve))
    served.process.kill('SIGKILL')
    await ended
  }

  async remove(): Promise<void> {
    await this.stop()
    this.folders.remove()
  }

  /** One command on its folder, beside its server; what it printed. */
  cli(args: readonly string[]): Promise<string> {
    return boxyard(args, { env: environment(this.folders) })
  }

  /** Puts a real box file there, released unless told otherwise. */
  async put({ box, version, organization, release = true, ...file }: ThereOptions): Promise<void> {
    if (organization !== undefined && !this.#organizations.has(organization)) {
      await this.cli(['org', 'add', organization, '--owner', this.#owner])
      this.#organizations.add(organization)
    }
    await this.cli([
      ...['import', writeBoxFile(this.folders.files, { name: `${box}-${version}.box`, ...file })],
      ...['--org', organization ?? this.#owner, '--name', box, '--box-version', version],
      ...['--provider', file.provider ?? 'virtualbox', '--architecture', file.architecture ?? 'amd64'],
      ...(release ? ['--release'] : [])
    ])
  }

  /** What its API answers its owner at a path: "/api/v2/box/acme/base". */
  async get(path: string): Promise<{ readonly status: number; readonly body: unknown }> {
    const response = await fetch(`${this.#url}${path}`, {
      headers: { authorization: `Bearer ${this.#token}` }
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? null : (JSON.parse(text) as unknown) }
  }
}
