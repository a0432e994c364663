import type { Access, End, Introduction } from '../end.ts'
import { openFolder } from './folder/open-folder.ts'
import { reachHttp } from './http/reach.ts'

/** Reaches a remote and finds out who answers. Throws a RemoteFailure. */
export async function openEnd(
  access: Access,
  signal: AbortSignal
): Promise<{ readonly end: End; readonly introduction: Introduction }> {
  return access.kind === 'http' ? reachHttp(access, signal) : openFolder(access, signal)
}
