import type { Access, End, Introduction } from '../end.ts'
import { unwritten } from '../unwritten.ts'

/** Reaches a remote and finds out who answers. Throws a RemoteFailure. */
export function openEnd(
  _access: Access,
  _signal: AbortSignal
): Promise<{ readonly end: End; readonly introduction: Introduction }> {
  return unwritten()
}
