import type { ArrivalDraft, ArrivalPlan } from '../../../src-main/contract/arrivals.ts'
import type { Remote } from '../../../src-main/contract/remotes.ts'
import type { SyncPlanView, SyncStepKind } from '../../../src-main/contract/sync.ts'
import { bytes, capital } from '../../app/format.ts'

/** What a remote was found to have: plans of the box as it is now, in both directions; undefined while nobody knows. */
export interface Found {
  readonly publish: SyncPlanView | undefined
  readonly pull: SyncPlanView | undefined
  /** Why it could not be asked. */
  readonly problem?: readonly string[] | undefined
}

/** What publishing a file here does at one remote afterwards, as far as that is known before. */
export interface Outlook {
  /** "Makes the box acme/base, adds version 1.2.0 and sends virtualbox/amd64 (1.4 GB)."; null where that cannot be said. */
  readonly sentence: string | null
  /** What the person should know before, the serious first. */
  readonly notes: readonly { readonly serious: boolean; readonly sentence: string }[]
}

interface Subject {
  readonly remote: Pick<
    Remote,
    | 'name'
    | 'kind'
    | 'api'
    | 'account'
    | 'organizations'
    | 'organizationMap'
    | 'token'
    | 'tokenNote'
    | 'health'
  >
  readonly draft: ArrivalDraft
  readonly size: number | null
  /** Of what happens here before. */
  readonly plan: ArrivalPlan | undefined
  readonly found: Found
}

/** The name of an organization at a remote. */
export const organizationAt = ({ organizationMap }: Pick<Remote, 'organizationMap'>, name: string): string =>
  Object.entries(organizationMap).find(([here]) => here.toLowerCase() === name.toLowerCase())?.[1] ?? name

export function outlookOf(subject: Subject): Outlook {
  const { remote, draft, found } = subject
  const notes = notesOf(subject)
  if ([draft.name, draft.version, draft.provider].some((part) => part.trim() === ''))
    return { sentence: null, notes }
  const there = whatIsThere(subject)
  const image = `${draft.provider}/${draft.architecture || 'unknown'}`
  const tag = `${organizationAt(remote, draft.organization)}/${draft.name}`
  const deeds = [
    there.box === null ? `makes what is missing of ${tag} ${draft.version}` : '',
    there.box === false ? `makes the box ${tag}` : '',
    there.version === false ? `adds version ${draft.version}` : '',
    there.image === true ? '' : sending(subject, image),
    draft.release ? `releases ${draft.version} there` : ''
  ].filter((deed) => deed !== '')
  // Where the file is this very one here already, the plan to publish compares it with the one there.
  const isOther = subject.plan?.steps.some(({ kind }) => kind === 'create-image' || kind === 'replace-image')
  const clash = `${remote.name} has ${image} of ${draft.version} already. Unless its bytes are the same, you are asked before anything is done about it.`
  return {
    sentence: deeds.length === 0 ? null : `${capital(listed(deeds))}.`,
    notes: [
      ...notes,
      ...(there.image === true && isOther ? [{ serious: true, sentence: clash }] : []),
      ...(found.publish?.notes ?? []).map((sentence) => ({ serious: false, sentence }))
    ]
  }
}

const listed = (parts: readonly string[]): string =>
  [parts.slice(0, -1).join(', '), ...parts.slice(-1)].filter((part) => part !== '').join(' and ')

const sending = ({ size, draft }: Subject, image: string): string =>
  size === null
    ? `adds ${image} to ${draft.version}, whose file stays at its address`
    : `sends ${image} (${bytes(size)})`

interface There {
  /** Null while nobody knows. */
  readonly box: boolean | null
  readonly version: boolean | null
  readonly image: boolean | null
}

/**
 * What of it a remote has. What is here is compared by a plan to publish it, what is not by one to pull it: that lists
 * what only the remote has.
 */
function whatIsThere({ draft, plan, found: { publish, pull } }: Subject): There {
  const known = pull !== undefined && pull.asSeenAt !== 0
  if (!plan || !known) return { box: null, version: null, image: null }
  const here = new Set(plan.steps.map(({ kind }) => kind))
  const lists = (view: SyncPlanView | undefined, kind: SyncStepKind, key: string): boolean =>
    view?.steps.some((step) => step.kind === kind && step.key.toLowerCase() === key.toLowerCase()) ?? false
  const image = `${draft.version} ${draft.provider}/${draft.architecture || 'unknown'}`

  if (here.has('create-box')) {
    const box = pull.steps.length > 0
    return {
      box,
      version: lists(pull, 'create-version', `create-version ${draft.version}`),
      image: lists(pull, 'create-image', `create-image ${image}`)
    }
  }
  if (!publish || publish.asSeenAt === 0) return { box: null, version: null, image: null }
  const box = !publish.steps.some(({ kind }) => kind === 'create-box')
  const version =
    box &&
    (here.has('create-version')
      ? lists(pull, 'create-version', `create-version ${draft.version}`)
      : !lists(publish, 'create-version', `create-version ${draft.version}`))
  return {
    box,
    version,
    image:
      version &&
      (here.has('create-version') || here.has('create-image')
        ? lists(pull, 'create-image', `create-image ${image}`)
        : !lists(publish, 'create-image', `create-image ${image}`))
  }
}

function notesOf({ remote, draft, found }: Subject): Outlook['notes'] {
  const { name, kind, account, organizations, token, tokenNote, health, api } = remote
  const serious: string[] = []
  const others: string[] = []
  if (kind === 'http' && token === 'none')
    serious.push(`There is no token for ${name}, so it takes nothing. Enter one in Remotes; it goes on then.`)
  if (token === 'lost')
    serious.push(`The token of ${name} cannot be had. ${tokenNote ?? 'Enter it again in Remotes.'}`)
  if (health === 'refused')
    serious.push(`${name} does not take its token. Enter another one in Remotes; it goes on then.`)
  if (health === 'another')
    serious.push(`Something else answers as ${name} now, so nothing goes there. Look at it in Remotes.`)
  if (health === 'billing')
    serious.push(`${name} says that a bill has to be paid, and takes nothing before it is.`)
  const unreachable = found.pull ? found.pull.asSeenAt !== null : health === 'unreachable'
  if (unreachable) others.push(`${name} does not answer now; it goes there when it does.`)
  const there = organizationAt(remote, draft.organization)
  if (
    kind === 'http' &&
    account !== null &&
    organizations.length > 0 &&
    !organizations.some((known) => known.toLowerCase() === there.toLowerCase())
  )
    serious.push(
      `${account} has no organization ${there} at ${name}, as far as it says. In Remotes, ${draft.organization} can be given another name there.`
    )
  if (api === 'v1' && draft.architecture !== '' && draft.provider !== '')
    others.push(`${name} knows no architectures: it keeps one file for ${draft.provider}.`)
  others.push(...(found.problem ?? []))
  return [
    ...serious.map((sentence) => ({ serious: true, sentence })),
    ...others.map((sentence) => ({ serious: false, sentence }))
  ]
}
