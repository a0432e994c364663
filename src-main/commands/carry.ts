import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../app.ts'
import { counted } from '../contract/counted.ts'
import { sizeText } from '../contract/size-text.ts'
import type { RemoteTransfer, TransferWithSteps } from '../contract/transfers.ts'
import { Problem } from '../domain/problem.ts'
import { carryOutHere } from '../remotes/transfers/carry-out.ts'
import { print } from './command.ts'
import { conflictLines } from './plan-text.ts'
import { showProgress } from './progress.ts'
import { exitInterrupted, interruptible } from './stop-signal.ts'
import { printable } from './table.ts'

/** How a command ends whose transfers wait for something that may take long; nothing has failed. */
const exitWaiting = 3
const lookingBackPatience = 10_000

/** How transfers of a command are followed. */
export interface CarryOptions {
  readonly json: boolean
  /** Goes on waiting for a remote that does not answer. */
  readonly wait: boolean
}

/**
 * Has transfers carried out, by the server if there is one and here otherwise, shows how far they are, and says what
 * became of each. Ends with a Problem when one failed, and with an exit code of its own when some still wait.
 */
export async function carry(app: App, ids: readonly string[], { json, wait }: CarryOptions): Promise<void> {
  const stop = interruptible('what has arrived is kept')
  const progress = showProgress('transferred')
  const told = new Map<string, string>()
  const latest = new Map<string, RemoteTransfer>()
  const say = (transfer: RemoteTransfer, sentences: readonly string[]): void => {
    const text = sentences.join(' ')
    if (text === '' || told.get(transfer.id) === text) return
    told.set(transfer.id, text)
    progress.clear()
    process.stderr.write(`boxyard: ${printable(`${whereOf(transfer)}: ${text}`)}\n`)
  }
  const isOver = (transfer: RemoteTransfer): boolean =>
    isEnded(transfer) || transfer.state === 'paused' || (!wait && isWaitingLong(transfer))
  let ended: readonly RemoteTransfer[]
  try {
    ended = await carryOutHere(app, ids, {
      signal: stop.signal,
      isOver,
      onChange(changed) {
        for (const transfer of changed) {
          latest.set(transfer.id, transfer)
          if (transfer.state === 'waiting' && !isOver(transfer)) say(transfer, transfer.problem ?? [])
        }
        const all = [...latest.values()]
        const total = all.every(({ bytesTotal }) => bytesTotal !== null)
          ? sum(all.map(({ bytesTotal }) => bytesTotal ?? 0))
          : null
        const done = sum(all.map(({ bytesDone }) => bytesDone))
        if (done > 0) progress.show(done, total)
      }
    })
  } finally {
    progress.clear()
    if (!stop.signal.aborted) stop.forget()
  }
  await lookBack(app, ended)
  for (const transfer of ended) {
    if (json) print(JSON.stringify(withSteps(app, transfer)))
    else if (transfer.state === 'done') print(printable(doneText(transfer)))
    if (transfer.state !== 'done') {
      say(transfer, transfer.problem ?? [])
      for (const conflict of transfer.conflicts)
        for (const line of conflictLines(conflict)) process.stderr.write(`${printable(line)}\n`)
    }
  }
  conclude(ended, stop.signal.aborted)
}

function conclude(ended: readonly RemoteTransfer[], interrupted: boolean): void {
  const open = ended.filter((transfer) => !isEnded(transfer))
  const failed = ended.filter(({ state }) => state === 'failed' || state === 'cancelled')
  if (open.length > 0) {
    const what = open.length === 1 ? 'It stays' : `${open.length} stay`
    process.stderr.write(
      `boxyard: ${what} in the list and ${open.length === 1 ? 'goes' : 'go'} on while "boxyard serve" runs, or with:\n` +
        `  boxyard transfers resume ${open.map(({ id }) => shortId(id)).join(' ')} --wait\n`
    )
    process.exitCode = interrupted ? exitInterrupted : exitWaiting
  }
  if (failed.length === 0) return
  const sentence =
    ended.length === 1
      ? failed[0]?.state === 'cancelled'
        ? 'It was cancelled.'
        : 'It could not be done; see above.'
      : `${failed.length} of ${ended.length} could not be done; see above.`
  throw new Problem('invalid', sentence)
}

/** Notes how those boxes stand now, where no server does. */
async function lookBack(app: App, ended: readonly RemoteTransfer[]): Promise<void> {
  const signal = AbortSignal.timeout(lookingBackPatience)
  for (const { state, remoteId, organization, box } of ended) {
    if (state !== 'done' || remoteId === null) continue
    await Promise.race([
      app.watching.checkBox(remoteId, { organization, name: box }, signal).catch(() => {}),
      pause(lookingBackPatience, undefined, { ref: false })
    ])
  }
}

const isEnded = ({ state }: RemoteTransfer): boolean =>
  state === 'done' || state === 'failed' || state === 'cancelled'

/** A busy remote or a rate limit passes; a network that is not there, nobody knows when it comes back. */
const isWaitingLong = ({ state, waitingFor }: RemoteTransfer): boolean =>
  state === 'waiting' && (waitingFor === 'network' || waitingFor === 'remote')

function whereOf({ organization, box, direction, remoteName }: RemoteTransfer): string {
  return `${organization}/${box} ${direction === 'publish' ? 'to' : 'from'} ${remoteName}`
}

function doneText(transfer: RemoteTransfer): string {
  const { stepsDone, bytesDone } = transfer
  return stepsDone === 0
    ? `${whereOf(transfer)}: there was nothing to do`
    : `${whereOf(transfer)}: done, ${counted(stepsDone, 'step')}${bytesDone > 0 ? `, ${sizeText(bytesDone)}` : ''}`
}

/** One may have been dismissed meanwhile; what is known of it is told all the same. */
const withSteps = (app: App, transfer: RemoteTransfer): TransferWithSteps => ({
  ...transfer,
  steps: app.remoteTransfers.find(transfer.id) ? app.remoteTransfers.steps(transfer.id) : []
})

/** Enough of an id to tell it from others. */
export const shortId = (id: string): string => id.slice(0, 8)

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)
