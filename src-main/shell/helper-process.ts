import { utilityProcess } from 'electron'
import type { StartHelper } from '../vault/keychain-process.ts'

/** A process beside this one, by Electron's own means: the packaged program does not run as Node. */
export const startHelper: StartHelper = (file, environment) => {
  const helper = utilityProcess.fork(file, [], {
    env: { ...environment },
    execArgv: [],
    stdio: 'ignore',
    serviceName: 'Boxyard keychain'
  })
  return {
    send: (message) => helper.postMessage(message),
    onMessage: (listener) => void helper.on('message', listener),
    onEnd: (listener) => void helper.on('exit', (code) => listener(`its process ended (${code})`)),
    kill: () => void helper.kill()
  }
}
