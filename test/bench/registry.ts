import { boxyard, serve, type Served } from '../support/product.ts'
import type { Bench } from './harness.ts'

/** The built server on a data folder, with a token of its owner's. */
export interface Registry extends Served {
  readonly token: string
  readonly dataDir: string
  readonly authorization: { readonly Authorization: string }
  /** A public box of that name with an image to be uploaded to `image`. */
  addBox(name: string): Promise<Target>
}

/** Where one image lives in the API. */
interface Target {
  /** A new address that takes the image's bytes. */
  uploadUrl(): Promise<string>
  readonly downloadUrl: string
  release(): Promise<void>
}

const owner = 'bench'

export async function startRegistry(
  bench: Bench,
  { dataDir = bench.folder('data'), env = {} }: { dataDir?: string; env?: NodeJS.ProcessEnv } = {}
): Promise<Registry> {
  const server = await serve(dataDir, ['--owner', owner], env)
  const token = await boxyard(['token', 'create', '--user', server.owner, '--data', dataDir])
  const authorization = { Authorization: `Bearer ${token}` }
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${server.url}/api/v2/${path}`, {
      method,
      headers: { ...authorization, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) })
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }
  return {
    ...server,
    token,
    dataDir,
    authorization,
    async addBox(name) {
      const box = `box/${server.owner}/${name}`
      await call('POST', 'boxes', { box: { username: server.owner, name, is_private: false } })
      await call('POST', `${box}/versions`, { version: { version: '1.0.0' } })
      await call('POST', `${box}/version/1.0.0/providers`, {
        provider: { name: 'libvirt', architecture: 'amd64' }
      })
      return {
        uploadUrl: async () =>
          (await call<{ upload_path: string }>('GET', `${box}/version/1.0.0/provider/libvirt/amd64/upload`))
            .upload_path,
        downloadUrl: `${server.url}/${server.owner}/boxes/${name}/versions/1.0.0/providers/libvirt/amd64/vagrant.box`,
        release: async () => void (await call('PUT', `${box}/version/1.0.0/release`))
      }
    }
  }
}
