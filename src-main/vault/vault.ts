import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { readKeyFile, readOrMakeKeyFile } from './key-file.ts'

/**
 * Keeps secrets that have to be read again, and so cannot be stored as hashes: the key is on this machine alone and
 * in no backup, so that a copied database gives nothing away.
 */
export interface Vault {
  /** What comes back can be stored anywhere. It opens again only with the same context, which says whose it is. */
  seal(secret: string, context: string): string
  /** Null when it was sealed with another key or context, or was changed since. */
  unseal(sealed: string, context: string): string | null
  /** A fingerprint only this machine can make, for secrets too short for a plain hash to hide. */
  mac(text: string): string
}

const form = 'v1.'
const ivLength = 12
const tagLength = 16

/** A vault whose key lies in a file of its own in the data folder. It is made with the first secret. */
export function fileVault(dataDir: string): Vault {
  let keys: Keys | null = null
  const keysToMake = (): Keys => (keys ??= deriveKeys(readOrMakeKeyFile(dataDir)))
  const keysIfAny = (): Keys | null => {
    const key = keys ? null : readKeyFile(dataDir)
    return key ? (keys = deriveKeys(key)) : keys
  }
  return {
    seal: (secret, context) => seal(keysToMake().sealing, secret, context),
    unseal(sealed, context) {
      const found = keysIfAny()
      return found && unseal(found.sealing, sealed, context)
    },
    mac: (text) => createHmac('sha256', keysToMake().mac).update(text).digest('hex')
  }
}

interface Keys {
  readonly sealing: Buffer
  readonly mac: Buffer
}

function deriveKeys(master: Buffer): Keys {
  const derive = (purpose: string): Buffer => Buffer.from(hkdfSync('sha256', master, '', purpose, 32))
  return { sealing: derive('sealing'), mac: derive('mac') }
}

function seal(key: Buffer, secret: string, context: string): string {
  const iv = randomBytes(ivLength)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(context))
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return form + Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
}

function unseal(key: Buffer, sealed: string, context: string): string | null {
  if (!sealed.startsWith(form)) return null
  const bytes = Buffer.from(sealed.slice(form.length), 'base64url')
  if (bytes.length < ivLength + tagLength) return null
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivLength), {
    authTagLength: tagLength
  })
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(ivLength, ivLength + tagLength))
  const secret = decipher.update(bytes.subarray(ivLength + tagLength))
  try {
    return Buffer.concat([secret, decipher.final()]).toString('utf8')
  } catch {
    return null // the only thing that can fail here is the proof that nothing was changed
  }
}
