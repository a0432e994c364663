import type { Mirror } from '../../../src-main/contract/mirrors.ts'
import type { Remote } from '../../../src-main/contract/remotes.ts'
import { ask } from '../../api.ts'
import { copyText } from '../../app/clipboard.ts'
import { confirm } from '../../app/confirm.svelte.ts'
import { readRemotes } from '../../app/remotes.svelte.ts'
import { go } from '../../app/router.svelte.ts'
import { attempt, toast } from '../../app/toasts.svelte.ts'
import { transfers } from '../transfers/transfers.svelte.ts'
import { removeConsequences } from './consequences.ts'

/** A look at one remote that a person asked for. */
export class Check {
  running = $state(false)

  async run({ id }: Remote): Promise<void> {
    if (this.running) return
    this.running = true
    await attempt(() => ask('remotes.check', { id }))
    await readRemotes()
    this.running = false
  }
}

const ended = new Set(['done', 'failed', 'cancelled'])

export async function removeRemote(remote: Remote, mirrors: readonly Mirror[]): Promise<void> {
  const { id, name } = remote
  const underWay = transfers.remoteTransfers.filter(
    ({ remoteId, state }) => remoteId === id && !ended.has(state)
  )
  const sure = await confirm({
    title: `Remove ${name}?`,
    sentences: removeConsequences(remote, mirrors.length, underWay.length),
    verb: `Remove ${name}`,
    danger: true
  })
  if (!sure) return
  await attempt(async () => {
    const { note } = await ask('remotes.remove', { id })
    await readRemotes()
    go('/remotes', { replace: true })
    toast('success', `${name} is removed.`)
    // It stays until it was read: what is left in the keychain is told only once.
    if (note !== null) toast('warning', note, { label: 'Copy', run: async () => void (await copyText(note)) })
  })
}

/** Something else answers at its address, and the person says that this was meant. */
export async function acceptIdentity({ id, name }: Remote): Promise<void> {
  const sure = await confirm({
    title: `Go on with what answers as ${name} now?`,
    sentences: [
      'What was agreed with the one before is forgotten, and everything is compared anew.',
      'Nothing is overwritten by that: where both sides differ, you are asked.'
    ],
    verb: 'Accept it'
  })
  if (!sure) return
  await attempt(async () => {
    await ask('remotes.change', { id, changes: { acceptIdentity: true } })
    await readRemotes()
  })
}
