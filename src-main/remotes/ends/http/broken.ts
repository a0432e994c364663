import { RemoteFailure } from '../../failure.ts'

const untrusted =
  /^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_TLS_CERT_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_|HOSTNAME_MISMATCH)/
const notTls = /^(EPROTO|ERR_SSL_)/

/** Whether the request had begun to go out, so that it may have been carried out. */
interface How {
  readonly sent: boolean
  readonly changes: boolean
}

/** Why there was no answer, from what the system says. The cause is kept; no address with a secret in it gets into a sentence. */
export function brokenConnection(error: unknown, { host, hostname }: URL, how: How): RemoteFailure {
  if (error instanceof RemoteFailure) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'CERT_HAS_EXPIRED')
    return new RemoteFailure('untrusted', [
      `The certificate of ${host} has expired, so nothing was sent there. Its operator has to renew it.`
    ])
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return new RemoteFailure('untrusted', [
      `The certificate that ${host} shows is for another name, so nothing was sent there. Check the address of this remote.`
    ])
  if (untrusted.test(code))
    return new RemoteFailure('untrusted', [
      `Nobody this computer trusts vouches for the certificate of ${host}, so nothing was sent there.`,
      'If it is known to be right, add the certificate of its authority to this remote.'
    ])
  if (notTls.test(code))
    return new RemoteFailure('untrusted', [
      `${host} does not speak HTTPS as this computer does, so nothing was sent there. Check its address and port.`
    ])
  if (/^HPE_/.test(code))
    return new RemoteFailure('odd', [
      `What ${host} answered is not HTTP. Check the address and port of this remote.`
    ])
  const ambiguous = how.sent && how.changes
  const fail = (sentence: string): RemoteFailure =>
    new RemoteFailure('offline', [sentence], { cause: withoutSecrets(error), ambiguous })
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return fail(`The name ${hostname} could not be found: there is no network, or the name is wrong.`)
    case 'ECONNREFUSED':
      return fail(`Nothing answers at ${host}: it is not running, or the address is wrong.`)
    case 'ENETUNREACH':
    case 'EHOSTUNREACH':
    case 'ENETDOWN':
      return fail(`There is no way to ${host}: this computer has no network, or that one is in another.`)
    default:
      return fail(
        how.sent
          ? `The connection to ${host} broke off before it answered.`
          : `The connection to ${host} could not be made.`
      )
  }
}

/** The other side is silent, or as good as. */
export const tooSlow = (sentence: string, how: How): RemoteFailure =>
  new RemoteFailure('offline', [sentence], { ambiguous: how.sent && how.changes })

/** Causes end up in logs: what the system says of a connection, never a request. */
function withoutSecrets(error: unknown): unknown {
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error ? ` (${String(error.code)})` : ''
  return new Error(`${error.message.slice(0, 300)}${code}`)
}
