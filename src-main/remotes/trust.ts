import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import * as tls from 'node:tls'
import { Problem } from '../domain/problem.ts'
import { RemoteFailure } from './failure.ts'

/** Where systems without a function for it keep the certificates they trust. The first that is there counts. */
const bundles = [
  '/etc/ssl/certs/ca-certificates.crt', // Debian, Ubuntu, Arch, Alpine
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem', // Fedora, RHEL
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem', // openSUSE
  '/etc/ssl/cert.pem' // macOS, BSD
]
/** Far more than any system trusts. */
const mostCertificates = 10_000
const pem = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g

let system: readonly string[] | null = null

/**
 * Whom a connection to a remote trusts: those that came with the runtime, those of this system, those named by
 * NODE_EXTRA_CA_CERTS, and those given for the remote. As PEM, each once.
 */
export function trustedCertificates(ofRemote: string | null): readonly string[] {
  system ??= unique([...tls.rootCertificates, ...ofSystem(), ...ofEnvironment()])
  return ofRemote === null ? system : unique([...system, ...(ofRemote.match(pem) ?? [])])
}

function ofSystem(): readonly string[] {
  // Node 22.15 and newer know how to ask each system; Electron before 37 does not.
  const ask = 'getCACertificates' in tls ? tls.getCACertificates : null
  try {
    const asked = ask?.('system') ?? []
    if (asked.length > 0) return asked
  } catch {
    // A system whose store cannot be read trusts nobody of its own.
  }
  const named = process.env['SSL_CERT_FILE']
  for (const file of named ? [named] : bundles) {
    const found = readCertificates(file)
    if (found.length > 0) return found
  }
  return []
}

function ofEnvironment(): readonly string[] {
  const file = process.env['NODE_EXTRA_CA_CERTS']
  return file ? readCertificates(file) : []
}

function readCertificates(file: string): readonly string[] {
  try {
    return (readFileSync(file, 'utf8').match(pem) ?? []).slice(0, mostCertificates)
  } catch {
    return [] // not there, or not for us
  }
}

const unique = (certificates: readonly string[]): string[] => [
  ...new Set(certificates.map((certificate) => certificate.trim()))
]

/** What is to be trusted for a remote, with nothing else around it; null for none. Refuses what holds no certificate. */
export function checkedCertificates(text: string): string | null {
  if (text.trim() === '') return null
  const found = text.match(pem) ?? []
  if (found.length === 0)
    throw new Problem(
      'invalid',
      'There is no certificate in what was given to be trusted.',
      'It must be PEM, with "-----BEGIN CERTIFICATE-----" in it.'
    )
  if (text.includes('PRIVATE KEY-----'))
    throw new Problem(
      'invalid',
      'There is a private key in what was given to be trusted.',
      'Give the certificate alone; the key belongs to the remote and to nobody else.'
    )
  for (const [i, certificate] of found.entries()) {
    try {
      new X509Certificate(certificate)
    } catch {
      throw new Problem(
        'invalid',
        `Certificate ${i + 1} of ${found.length} in what was given to be trusted is damaged.`,
        'Export it again as PEM.'
      )
    }
  }
  return unique(found).join('\n')
}

/** Whether an address names this very machine, whose network nobody else can listen on. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase()
  if (name === 'localhost' || name.endsWith('.localhost')) return true
  if (isIP(name) === 4) return name.startsWith('127.')
  return isIP(name) === 6 && new URL(`http://[${name}]`).hostname === '[::1]'
}

/** Plain http shows the token and every byte to whoever is on the way, so it has to be allowed. */
export function checkPlainHttp(location: string, allowed: boolean): void {
  if (allowed || !location.startsWith('http:')) return
  const { host, hostname } = new URL(location)
  if (isLoopback(hostname)) return
  throw new RemoteFailure('untrusted', [
    `${host} would be reached by plain http, which shows the token and every box to whoever is on the way.`,
    'Use its https address, or allow plain http for this remote if you trust the network between.'
  ])
}
