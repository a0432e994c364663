import CircleCheck from '@lucide/svelte/icons/circle-check'
import CircleDashed from '@lucide/svelte/icons/circle-dashed'
import MessageCircleWarning from '@lucide/svelte/icons/message-circle-warning'
import Receipt from '@lucide/svelte/icons/receipt'
import Replace from '@lucide/svelte/icons/replace'
import ShieldAlert from '@lucide/svelte/icons/shield-alert'
import Unplug from '@lucide/svelte/icons/unplug'
import type { Component } from 'svelte'
import type { Remote, RemoteHealth } from '../../../src-main/contract/remotes.ts'

/** How the health of a remote looks; beside it stands its word, so that none is a colour alone. */
export const healthLooks: Readonly<
  Record<RemoteHealth, { word: string; icon: Component<{ size?: number }>; colour: string }>
> = {
  fine: { word: 'Answers', icon: CircleCheck, colour: 'text-green' },
  unknown: { word: 'Not asked yet', icon: CircleDashed, colour: 'text-ink-faint' },
  unreachable: { word: 'Unreachable', icon: Unplug, colour: 'text-amber' },
  refused: { word: 'Refused', icon: ShieldAlert, colour: 'text-red' },
  billing: { word: 'Billing', icon: Receipt, colour: 'text-amber' },
  another: { word: 'Another registry', icon: Replace, colour: 'text-red' },
  odd: { word: 'Odd answer', icon: MessageCircleWarning, colour: 'text-amber' }
}

const usual: Readonly<Record<RemoteHealth, string>> = {
  fine: '',
  unknown: 'Nothing was asked of it yet. Check it to see what is in step.',
  unreachable:
    'It does not answer. Look whether there is a network and whether it runs; what is queued waits for it.',
  refused: 'It does not take the token. Enter another one.',
  billing: 'It answers that a bill has to be paid. Settle that with whoever runs it, then check again.',
  another:
    'This is another registry than before, so nothing is done with it. Accept it if that was meant, or remove it.',
  odd: 'It answers with something no registry says. Look whether the address is right.'
}
const folders: Readonly<Partial<Record<RemoteHealth, string>>> = {
  unreachable:
    'The folder is not there. Connect the disk or the share it is on; what is queued waits for it.',
  another:
    'This is another folder than before, so nothing is done with it. Accept it if that was meant, or remove it.'
}

/** What is wrong and what to do; '' when nothing is. */
export const healthSentence = ({ health, healthNote, kind }: Remote): string =>
  health === 'fine' ? '' : (healthNote ?? ((kind === 'folder' && folders[health]) || usual[health]))
