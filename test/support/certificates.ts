import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { program, provide } from './system-packages.ts'
import { tempDir } from './temp.ts'

/** Why no certificates can be made here; null when they can. */
export const openSslMissing = (): string | null => provide([program('openssl')])

/** An authority nobody knows, and what it certifies. */
export interface Authority {
  /** The file with its certificate, and what is in it. */
  readonly file: string
  readonly pem: string
  /** For a host, until so many days from now. */
  certify(host: string, days?: number): { readonly cert: string; readonly key: string }
}

export function makeAuthority(): Authority {
  const folder = tempDir()
  const at = (name: string): string => join(folder, name)
  const openssl = (...args: string[]): void => {
    const { status, stderr } = spawnSync('openssl', args, { cwd: folder, encoding: 'utf8' })
    if (status !== 0) throw new Error(`openssl ${args[0]} failed: ${stderr}`)
  }
  const key = (name: string): string[] => [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-keyout',
    at(name)
  ]
  openssl('req', '-x509', ...key('ca.key'), '-out', at('ca.pem'), '-days', '2', '-subj', '/CN=The lab')
  let count = 0
  return {
    file: at('ca.pem'),
    pem: readFileSync(at('ca.pem'), 'utf8'),
    certify(host, days = 2) {
      const name = `${++count}`
      const isAddress = /^[\d.]+$/.test(host)
      writeFileSync(at(`${name}.ext`), `subjectAltName=${isAddress ? 'IP' : 'DNS'}:${host}`)
      openssl('req', ...key(`${name}.key`), '-out', at(`${name}.csr`), '-subj', `/CN=${host}`)
      openssl(
        'x509',
        '-req',
        '-in',
        at(`${name}.csr`),
        '-CA',
        at('ca.pem'),
        '-CAkey',
        at('ca.key'),
        '-CAcreateserial',
        '-days',
        String(days),
        '-extfile',
        at(`${name}.ext`),
        '-out',
        at(`${name}.pem`)
      )
      return { cert: readFileSync(at(`${name}.pem`), 'utf8'), key: readFileSync(at(`${name}.key`), 'utf8') }
    }
  }
}

/** A server by https in front of one by http, for the test that runs; its address. */
export async function serveSafely(
  target: string,
  proof: { readonly cert: string; readonly key: string }
): Promise<string> {
  const server = createServer(proof, (incoming, outgoing) => {
    const { method = 'GET', url = '', headers } = incoming
    const onwards = request(target + url, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    onwards.on('error', () => outgoing.destroy())
    incoming.pipe(onwards)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`
}
