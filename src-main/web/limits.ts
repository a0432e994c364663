/** What the interface's server may cost its machine. Times are milliseconds. */
export interface WebLimits {
  /** Of a call: a million ids, or a million characters in their longest spelling. */
  readonly callBytes: number
  readonly urlLength: number
  readonly headersTime: number
  /** For a call to arrive whole; files that are sent may take as long as bytes come. */
  readonly bodyTime: number
  readonly idleTime: number
  /** For what is left of a refused body: a page that is still sending can read the answer only when it is done. */
  readonly lingerTime: number
  /** Pages that listen at the same time. */
  readonly streams: number
  /** Of events that a page has not taken yet, after which it is cut off. */
  readonly streamBytes: number
  readonly heartbeat: number
  readonly connections: number
}

export const defaultWebLimits: WebLimits = {
  callBytes: 16 * 1024 * 1024,
  urlLength: 16 * 1024,
  headersTime: 20_000,
  bodyTime: 30_000,
  idleTime: 120_000,
  lingerTime: 30_000,
  streams: 32,
  streamBytes: 4 * 1024 * 1024,
  heartbeat: 15_000,
  connections: 256
}
