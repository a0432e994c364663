import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Problem } from '../domain/problem.ts'

/** One file of the built interface. */
export interface BundleFile {
  readonly type: string
  readonly body: Buffer
  /** Its name holds a hash of its content, so that it can be kept for ever. */
  readonly immutable: boolean
}

/** The built interface, read once: only what was there then can ever be served, whatever a path says. */
export interface Bundle {
  /** By the exact path of an address, as "/assets/index-1a2b3c.js"; "/" is the page. */
  get(pathname: string): BundleFile | null
}

/** What the interface's page may do, wherever it is shown: use its own files and talk to its own origin, nothing else. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join('; ')

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json'
}

/** Where the build puts the interface: beside the main bundle, or in out/ when the sources run as they are. */
const builtInterface = (): string =>
  fileURLToPath(
    new URL(import.meta.url.endsWith('.ts') ? '../../out/renderer' : '../renderer', import.meta.url)
  )

/** Reads every file of a kind the interface is made of. */
export function loadBundle(folder: string = builtInterface()): Bundle {
  if (!existsSync(join(folder, 'index.html')))
    throw new Problem('unavailable', `The interface is not built: there is no index.html in ${folder}.`)
  const files = new Map<string, BundleFile>()
  // Not readdir's own recursion, which an Electron archive (app.asar) does not have everywhere.
  const read = (inside: string): void => {
    for (const entry of readdirSync(join(folder, inside), { withFileTypes: true })) {
      const name = `${inside}/${entry.name}`
      const type = types[extname(entry.name)]
      if (entry.isDirectory()) read(name)
      else if (entry.isFile() && type !== undefined)
        files.set(name, {
          type,
          body: readFileSync(join(folder, name)),
          immutable: name.startsWith('/assets/')
        })
    }
  }
  read('')
  const page = files.get('/index.html')
  if (page) files.set('/', page)
  return { get: (pathname) => files.get(pathname) ?? null }
}
