import type * as keytar from 'keytar'
import type { KeychainReply, KeychainRequest } from './keychain-messages.ts'
import { troubleOf } from './keychain-trouble.ts'

/**
 * A process of its own that does one thing with the keychain and ends. A call of the add-on that waits for somebody to
 * unlock it cannot be taken back, and a process with such a call in it can end by no other means than a kill: this one
 * can be killed.
 */
const service = 'Boxyard'
/** Kept for an instant, to find out whether anything could be. */
const probe = 'whether it is open'

type Keytar = typeof keytar

async function answer(request: KeychainRequest): Promise<KeychainReply> {
  try {
    // Ours is missing where the platform has none, and nothing else may fail because of it.
    const found: Keytar & { readonly default?: Keytar } = await import('keytar')
    return await carryOut(found.default ?? found, request)
  } catch (error) {
    return troubleOf(error)
  }
}

async function carryOut(keytar: Keytar, request: KeychainRequest): Promise<KeychainReply> {
  switch (request.do) {
    case 'keep': {
      await keytar.setPassword(service, request.name, request.secret)
      const kept = await keytar.getPassword(service, request.name)
      return kept === request.secret ? { secret: null } : { trouble: 'forgetful', message: '' }
    }
    case 'find': {
      const secret = await keytar.getPassword(service, request.name)
      if (secret === null) await seeThatItIsOpen(keytar)
      return { secret }
    }
    case 'forget': {
      if (!(await keytar.deletePassword(service, request.name))) await seeThatItIsOpen(keytar)
      return { secret: null }
    }
  }
}

/** On Linux a locked keychain says that it has nothing. That it cannot take anything either, it does say. */
async function seeThatItIsOpen(keytar: Keytar): Promise<void> {
  if (process.platform !== 'linux') return
  await keytar.setPassword(service, probe, 'yes')
  await keytar.deletePassword(service, probe)
}

/** Electron's processes and Node's hear and answer in different ways. */
const { parentPort } = process
if (parentPort) {
  parentPort.once('message', ({ data }: { data: unknown }) => {
    void answer(data as KeychainRequest).then((reply) => parentPort.postMessage(reply))
  })
} else {
  process.once('message', (request) => {
    void answer(request as KeychainRequest).then((reply) => process.send?.(reply))
  })
  // Nobody is left to answer to, and perhaps a call is still waiting.
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))
}
