import type { ClientRequest } from 'node:http'
import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { readBuffers } from '../../../blobs/buffer-pool.ts'
import { FileReader } from '../../../blobs/file-reader.ts'
import type { OutgoingBytes } from './exchange.ts'
import { RemoteFailure } from '../../failure.ts'

/** Large enough to cost little, small enough for a slow line to take one within its time; one of those a FileReader hands out. */
const pieceSize = readBuffers.size

interface Manner {
  readonly host: string
  readonly sendTime: number
  readonly continueTime: number
  readonly onSlow: (what: string) => void
}

/**
 * Writes the body of a request, once the other side says to go on or says nothing. Resolves with whether all of it went
 * out: an answer that comes before ends the sending, and what it says counts.
 */
export async function sendBytes(
  request: ClientRequest,
  bytes: OutgoingBytes,
  manner: Manner
): Promise<boolean> {
  const line = new Line(request)
  request.flushHeaders()
  await line.goAhead(manner.continueTime)
  if (line.over) return false
  const body = await bytes.open()
  const done = givingBack(body)
  let sent = 0
  const write = async (piece: Buffer): Promise<boolean> => {
    // What has been answered meanwhile is read first: writing to who has hung up would lose the answer with the line.
    await setImmediate()
    if (line.over || (!request.write(piece, done(piece)) && !(await line.drained(manner)))) return false
    sent += piece.length
    bytes.onSent(sent)
    return true
  }
  try {
    let read = 0
    let held: Buffer | null = null
    for await (const piece of pieces(body)) {
      read += piece.length
      if (bytes.size !== null && read > bytes.size) throw changed()
      bytes.onPiece(piece)
      if (held && !(await write(held))) return false
      held = piece
    }
    if (bytes.size !== null && read !== bytes.size) throw changed()
    bytes.onLast()
    if (held && !(await write(held))) return false
  } finally {
    body.destroy()
  }
  if (line.over) return false
  request.end()
  return true
}

/** What is told once a piece is written: a file of ours reads a later piece into the same memory. */
function givingBack(body: Readable): (piece: Buffer) => (error?: Error | null) => void {
  if (!(body instanceof FileReader)) return () => () => {}
  return (piece) => (error) => {
    if (!error) body.giveBack(piece)
  }
}

async function* pieces(body: Readable): AsyncGenerator<Buffer> {
  for await (const chunk of body as AsyncIterable<Buffer>)
    if (chunk.length <= pieceSize) yield chunk
    else for (let at = 0; at < chunk.length; at += pieceSize) yield chunk.subarray(at, at + pieceSize)
}

/** The file is another one than it was when its length was looked up. */
const changed = (): RemoteFailure =>
  new RemoteFailure('damaged', ['The file changed its length while it was being sent, so it is begun again.'])

/** A request that is being written: whether anybody still takes it, and when it takes more. */
class Line {
  over = false
  readonly #request: ClientRequest
  #wake: (() => void) | null = null

  constructor(request: ClientRequest) {
    this.#request = request
    const end = (): void => {
      this.over = true
      this.#wake?.()
    }
    request.once('response', end).once('error', end).once('close', end)
    request.on('drain', () => this.#wake?.())
  }

  goAhead(time: number): Promise<void> {
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined
      const go = (): void => {
        clearTimeout(timer)
        this.#wake = null
        resolve()
      }
      // Counted from when there is a connection: before that, its own time limit holds.
      const count = (): void => void (timer = setTimeout(go, time))
      this.#request.once('socket', (socket) => (socket.connecting ? socket.once('ready', count) : count()))
      this.#request.once('continue', go)
      this.#wake = go
      if (this.over) go()
    })
  }

  /** False when nobody takes any more. */
  drained({ sendTime, onSlow }: Manner): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => onSlow('stopped taking the file in the middle of it.'), sendTime)
      this.#wake = () => {
        clearTimeout(timer)
        this.#wake = null
        resolve(!this.over)
      }
      if (this.over) this.#wake()
    })
  }
}
