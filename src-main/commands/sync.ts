import { Option } from 'commander'
import type { App } from '../app.ts'
import type { SyncRequest } from '../contract/sync.ts'
import { Problem } from '../domain/problem.ts'
import { settleCutOff } from '../remotes/transfers/carry-out.ts'
import { carry } from './carry.ts'
import { print } from './command.ts'
import { choice } from './option-values.ts'
import { planText } from './plan-text.ts'

/** A person or a script waits for a plan. */
const planPatience = 60_000

/** How conflicts are decided beforehand. */
export const chooseOption = (): Option =>
  new Option('--choose <key=choice>', 'decide what a dry run says has to be decided (repeatable)').argParser(
    choice
  )

/** Tells what would be done for each request. Fails where something has to be decided first. */
export async function showPlans(app: App, requests: readonly SyncRequest[], json: boolean): Promise<void> {
  let undecided = 0
  for (const request of requests) {
    const plan = await app.planning.view(request, AbortSignal.timeout(planPatience))
    const remote = await app.remotes.read(request.remoteId)
    print(json ? JSON.stringify({ remote: remote.name, ...plan }) : planText(plan, remote.name))
    undecided += plan.conflicts.filter(({ chosen }) => chosen === null).length
  }
  if (undecided > 0)
    throw new Problem('conflict', 'Both sides differ in something that has to be decided first; see above.')
}

/** Queues requests and follows them to their end. */
export async function start(
  app: App,
  requests: readonly SyncRequest[],
  { wait, json }: { readonly wait?: boolean; readonly json?: boolean }
): Promise<void> {
  await settleCutOff(app)
  const transfers = app.remoteTransfers.add(requests)
  // Whoever asks now wants it now, also what was put aside before.
  const paused = transfers.filter(({ state }) => state === 'paused').map(({ id }) => id)
  if (paused.length > 0) app.remoteTransfers.resume(paused)
  await carry(
    app,
    transfers.map(({ id }) => id),
    { wait: wait === true, json: json === true }
  )
}
