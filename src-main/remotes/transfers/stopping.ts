/** Why a run is to stop, and with that what becomes of its transfer. */
export type StopReason =
  /** The person does not want it for now, or no more. Its row says so already. */
  | 'paused'
  | 'cancelled'
  /** It goes back to its place among those that wait: the program ends, everything is held, or the catalogue is in maintenance. */
  | 'parked'

/** What the signal of a run is aborted with. */
export class RunStopped extends Error {
  readonly why: StopReason

  constructor(why: StopReason) {
    super(`the transfer was ${why}`)
    this.name = 'RunStopped'
    this.why = why
  }
}
