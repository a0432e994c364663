/** What a remote may cost this side: its time in milliseconds, its answers in bytes. */
export interface HttpLimits {
  /** Until there is a connection, certificates and all. */
  readonly connectTime: number
  /** From the last byte of a request to the first of its answer. */
  readonly answerTime: number
  /** The same after an upload, which the other side may have to read once more. */
  readonly uploadAnswerTime: number
  /** Within which `leastBytes` have to arrive, so that neither silence nor a drip holds anybody up. */
  readonly idleTime: number
  readonly leastBytes: number
  /** Within which one piece of an upload has to be taken. */
  readonly sendTime: number
  /** How long is waited for the word to go on before a body is sent all the same. */
  readonly continueTime: number
  /** Of an answer that is read as a whole. */
  readonly jsonBytes: number
  readonly jsonTime: number
  /** Of one box in a listing. */
  readonly listedBytes: number
  readonly listTime: number
  /** In a listing of one organization; each one that is new is kept a row of. */
  readonly listedBoxes: number
  /** Larger files are not taken by direct uploads. */
  readonly directBytes: number
  /** Files of so much are read straight from their connection, which is of no use afterwards. */
  readonly straightBytes: number
}

export const usualLimits: HttpLimits = {
  connectTime: 15_000,
  answerTime: 60_000,
  uploadAnswerTime: 10 * 60_000,
  idleTime: 60_000,
  leastBytes: 4096,
  sendTime: 120_000,
  continueTime: 1_500,
  jsonBytes: 16 * 1024 * 1024,
  jsonTime: 120_000,
  listedBytes: 4 * 1024 * 1024,
  listTime: 30 * 60_000,
  listedBoxes: 1_000_000,
  directBytes: 5_368_709_120,
  straightBytes: 4 * 1024 * 1024
}
