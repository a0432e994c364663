import { shell } from 'electron'
import { Problem } from '../domain/problem.ts'
import { externalUrl } from './external-url.ts'

/** Opens a web page in the person's browser. The only place that calls the system with an address (item 15). */
export async function openExternal(address: string): Promise<void> {
  const url = externalUrl(address)
  if (url === null)
    throw new Problem('invalid', 'Only addresses that begin with https:// or http:// are opened.')
  await shell.openExternal(url)
}
