import { z } from 'zod'
import type { AccessView, NewToken, TwoFactorSetup } from './access.ts'
import {
  arrivalDraft,
  arrivalId,
  type Added,
  type Arrival,
  type ArrivalDraft,
  type ArrivalPlan,
  type ClientUpload,
  type Transfers
} from './arrivals.ts'
import {
  boxChanges,
  imageChanges,
  versionChanges,
  type BoxDetails,
  type DownloadsOfDay,
  type ImageDetails,
  type Removed,
  type TrashEntry,
  type VersionDetails
} from './boxes.ts'
import { mirrorRule, type Mirror, type MirrorPreview } from './mirrors.ts'
import { newRemote, remoteChanges, type Remote, type RemoteFinding } from './remotes.ts'
import { remoteBoxQuery, type Elsewhere, type RemoteBoxPage } from './standings.ts'
import { conflictChoices, fetchRequest, syncRequest, type SyncPlanView } from './sync.ts'
import {
  libraryQuery,
  libraryWindow,
  type LibraryFacets,
  type LibraryPage,
  type LibraryRange
} from './library.ts'
import { settingsChanges, type About, type Settings, type Status } from './settings.ts'
import { jobRequest, type CleanUpReport, type Job, type StorageSummary, type Usage } from './storage.ts'
import type { RemoteTransfer, TransferStep } from './transfers.ts'
import { boxRef, imageRef, name, roles, text, versionRef, type BoxRef } from './words.ts'

/** A method: what its payload must be, and (for the compiler alone) what it answers. */
interface Method<Payload extends z.ZodType, Answer> {
  readonly payload: Payload
  readonly answer?: Answer
}
const answers =
  <Answer>() =>
  <Payload extends z.ZodType>(payload: Payload): Method<Payload, Answer> => ({ payload })

const nothing = z.strictObject({})
const id = z.number().int().min(1)
const path = z.string().min(1).max(32_768)
const transferIds = z.strictObject({ ids: z.array(name).min(1).max(1000) })
const boxIds = z.strictObject({ ids: z.array(id).min(1).max(1_000_000) })

/**
 * Everything the interface can ask of the product, by name. Handlers, transports and the interface's client follow from
 * this table: one too few or too many does not compile.
 */
export const deskMethods = {
  about: answers<About>()(nothing),
  status: answers<Status>()(nothing),
  'settings.read': answers<Settings>()(nothing),
  'settings.change': answers<Settings>()(settingsChanges),
  /** What the interface itself wants to remember between runs (filters, widths, the last place), by key. */
  'preferences.read': answers<Record<string, unknown>>()(nothing),
  'preferences.write': answers<void>()(z.strictObject({ key: name, value: z.json() })),
  'text.preview': answers<{ html: string }>()(z.strictObject({ markdown: text })),

  'library.find': answers<LibraryPage>()(libraryWindow),
  /** Those from a place to before another. */
  'library.range': answers<LibraryRange>()(
    z.strictObject({ query: libraryQuery, from: z.number().int().min(0), to: z.number().int().min(0) })
  ),
  'library.facets': answers<LibraryFacets>()(nothing),
  /** Boxes by their ids, for actions on many; those that are gone are left out. */
  'library.setPrivate': answers<{ changed: number }>()(boxIds.extend({ private: z.boolean() })),
  'library.remove': answers<Removed>()(boxIds),

  'box.read': answers<BoxDetails>()(boxRef),
  /** What a box that was renamed is called now; null when it is gone. `createdAt` tells it from a later one of its id. */
  'box.nameNow': answers<BoxRef | null>()(z.strictObject({ id, createdAt: z.number() })),
  'box.create': answers<BoxDetails>()(boxRef.extend({ changes: boxChanges.omit({ name: true }) })),
  'box.change': answers<BoxDetails>()(boxRef.extend({ changes: boxChanges })),
  'box.remove': answers<Removed>()(boxRef),
  /** One entry a day, oldest first, the last of them today; days without downloads are there with 0. */
  'box.downloads': answers<readonly DownloadsOfDay[]>()(
    boxRef.extend({ days: z.number().int().min(1).max(730) })
  ),
  /** `likeVersion` names one whose description and providers (without their bytes) the new one starts with. */
  'version.create': answers<VersionDetails>()(
    versionRef.extend({ description: text.optional(), likeVersion: name.optional() })
  ),
  'version.change': answers<VersionDetails>()(versionRef.extend({ changes: versionChanges })),
  'version.release': answers<VersionDetails>()(versionRef),
  'version.revoke': answers<VersionDetails>()(versionRef),
  'version.remove': answers<Removed>()(versionRef),
  'image.create': answers<ImageDetails>()(
    imageRef.extend({ changes: imageChanges.omit({ provider: true, architecture: true }) })
  ),
  'image.change': answers<ImageDetails>()(imageRef.extend({ changes: imageChanges })),
  'image.remove': answers<Removed>()(imageRef),
  /** Reads the bytes again. */
  'image.verify': answers<{ sound: boolean; sentence: string }>()(imageRef),
  'trash.list': answers<readonly TrashEntry[]>()(nothing),
  /** Puts everything of it back where it was. */
  'trash.restore': answers<{ what: string }>()(z.strictObject({ id })),

  transfers: answers<Transfers>()(nothing),
  /** Files and folders of this machine. */
  'arrivals.addPaths': answers<Added>()(
    z.strictObject({ paths: z.array(path).min(1).max(1000), draft: arrivalDraft.partial().optional() })
  ),
  /** A file that stays where it is; the url is handed on to clients. */
  'arrivals.addUrl': answers<Arrival>()(
    z.strictObject({ url: path, draft: arrivalDraft.partial().optional() })
  ),
  'arrivals.change': answers<Arrival>()(arrivalId.extend({ draft: arrivalDraft.partial() })),
  'arrivals.plan': answers<ArrivalPlan>()(arrivalId),
  /** Each is published once it has been read. */
  'arrivals.publish': answers<readonly Arrival[]>()(z.strictObject({ ids: z.array(name).min(1).max(1000) })),
  'arrivals.cancel': answers<Arrival>()(arrivalId),
  'arrivals.retry': answers<Arrival>()(arrivalId),
  'arrivals.move': answers<void>()(arrivalId.extend({ direction: z.enum(['up', 'down']) })),
  /** Forgets those that have ended. */
  'arrivals.dismiss': answers<void>()(z.strictObject({ ids: z.array(name).max(1000) })),
  'clientUpload.cancel': answers<void>()(z.strictObject({ id: name })),

  remotes: answers<readonly Remote[]>()(nothing),
  /** Asks it who it is, and keeps nothing. */
  'remotes.test': answers<RemoteFinding>()(newRemote),
  /** Tries it first: one that does not answer, or does not take the token, is not added. */
  'remotes.add': answers<Remote>()(newRemote),
  'remotes.change': answers<Remote>()(z.strictObject({ id, changes: remoteChanges })),
  /** With its token; `note` says why that may still be in the keychain. Mirrored boxes stay as boxes of one's own. */
  'remotes.remove': answers<{ note: string | null }>()(z.strictObject({ id })),
  /** Looks at it now: how it does, and what is out of step. */
  'remotes.check': answers<Remote>()(z.strictObject({ id })),
  'remotes.boxes': answers<RemoteBoxPage>()(remoteBoxQuery),
  'remotes.elsewhere': answers<Elsewhere>()(boxRef),

  'mirrors.list': answers<readonly Mirror[]>()(nothing),
  /** Without an id a new one. */
  'mirrors.save': answers<Mirror>()(z.strictObject({ id: id.optional(), rule: mirrorRule })),
  'mirrors.remove': answers<void>()(z.strictObject({ id })),
  'mirrors.preview': answers<MirrorPreview>()(z.strictObject({ rule: mirrorRule })),
  'mirrors.run': answers<Mirror>()(z.strictObject({ id })),
  /** Makes a mirrored box one's own: it can be changed, and no longer follows the remote. */
  'mirrors.fork': answers<void>()(boxRef),

  /** What would be done now; of a remote that does not answer, by what was seen last. */
  'sync.plan': answers<SyncPlanView>()(syncRequest),
  'sync.start': answers<readonly RemoteTransfer[]>()(
    z.strictObject({ requests: z.array(syncRequest).min(1).max(1000) })
  ),
  /** Of one that is in the list. */
  'sync.steps': answers<readonly TransferStep[]>()(z.strictObject({ id: name })),
  /** Brings the bytes of an image here that is known and not on this disk. */
  'sync.fetch': answers<RemoteTransfer>()(fetchRequest),
  'sync.pause': answers<void>()(transferIds),
  'sync.resume': answers<void>()(transferIds),
  'sync.cancel': answers<void>()(transferIds),
  'sync.retry': answers<void>()(transferIds),
  'sync.dismiss': answers<void>()(transferIds),
  'sync.move': answers<void>()(z.strictObject({ id: name, direction: z.enum(['up', 'down', 'top']) })),
  /** Answers its conflicts, and goes on. */
  'sync.decide': answers<RemoteTransfer>()(
    z.strictObject({ id: name, choices: z.record(name, z.enum(conflictChoices)) })
  ),
  /** Holds everything to and from remotes, also what comes to wait later, until it is let go again. */
  'sync.hold': answers<void>()(z.strictObject({ held: z.boolean() })),

  'storage.summary': answers<StorageSummary>()(nothing),
  'storage.usage': answers<Usage>()(
    z.strictObject({ organization: name.nullable(), box: name.nullable(), version: name.nullable() })
  ),
  'storage.previewCleanUp': answers<CleanUpReport>()(
    z.strictObject({
      graceHours: z
        .number()
        .min(0)
        .max(24 * 365)
    })
  ),
  'storage.start': answers<Job>()(jobRequest),
  'storage.job': answers<Job | null>()(nothing),
  /** Has the one that runs end where nothing is left half done. */
  'storage.cancel': answers<void>()(nothing),

  access: answers<AccessView>()(nothing),
  'access.addAccount': answers<void>()(
    z.strictObject({ name, email: name.nullable(), password: name.nullable() })
  ),
  'access.removeAccount': answers<void>()(z.strictObject({ name })),
  'access.setPassword': answers<void>()(z.strictObject({ name, password: name })),
  'access.setTwoFactor': answers<TwoFactorSetup | null>()(z.strictObject({ name, on: z.boolean() })),
  'access.addOrganization': answers<void>()(z.strictObject({ name, owner: name })),
  /** Only one without boxes. */
  'access.removeOrganization': answers<void>()(z.strictObject({ name })),
  'access.setProfile': answers<void>()(z.strictObject({ name, profile: text })),
  'access.setMember': answers<void>()(
    z.strictObject({ organization: name, user: name, role: z.enum([...roles, 'none']) })
  ),
  'access.issueToken': answers<NewToken>()(z.strictObject({ user: name, description: name })),
  'access.revokeToken': answers<void>()(z.strictObject({ id })),

  /** What only a desktop can do; elsewhere these are refused, and Capabilities says so beforehand. */
  'host.chooseFiles': answers<readonly string[]>()(
    z.strictObject({ what: z.enum(['boxes', 'folder', 'backup']) })
  ),
  'host.chooseSaveFile': answers<string | null>()(z.strictObject({ suggested: name })),
  'host.revealDataFolder': answers<void>()(nothing),
  'host.revealImage': answers<void>()(imageRef),
  /** Begins to drag an image's file out of the window. */
  'host.dragOut': answers<void>()(imageRef),
  'host.openExternal': answers<void>()(z.strictObject({ url: path })),
  'host.quit': answers<void>()(nothing)
}

export type DeskMethod = keyof typeof deskMethods
export type Payload<M extends DeskMethod> = z.infer<(typeof deskMethods)[M]['payload']>
export type Answer<M extends DeskMethod> = Exclude<(typeof deskMethods)[M]['answer'], undefined>

/** What the interface is told without asking. Events say that something changed; what it is now, the methods say. */
export interface DeskEvents {
  /** Something in the database is another now, whoever changed it; at most some times a second. */
  changed: { readonly boxes: readonly string[] | null }
  /** What of the transfers changed, and the ids of those that are gone; at most some times a second. */
  transfers: {
    readonly arrivals: readonly Arrival[]
    readonly clientUploads: readonly ClientUpload[]
    readonly remoteTransfers: readonly RemoteTransfer[]
    readonly gone: readonly string[]
    /** Whether everything to and from remotes is held. */
    readonly held: boolean
  }
  job: Job
  /** The server came up, went down or moved. */
  status: Status
  settings: Settings
  /** A place to go to, as "/box/acme/base": from a deep link, a menu or a notification. */
  go: { readonly to: string }
  /** Something the menu or a global shortcut asks of the interface. */
  command: { readonly name: 'palette' | 'search' | 'publish' | 'shortcuts' }
  notice: Notice
}
export type DeskEventName = keyof DeskEvents
/** An event as transports carry it. */
export type DeskEvent = {
  [N in DeskEventName]: { readonly name: N; readonly data: DeskEvents[N] }
}[DeskEventName]

/** A sentence for the person that answers nothing they asked. */
export interface Notice {
  readonly kind: 'info' | 'success' | 'warning' | 'error'
  readonly sentence: string
  /** Where more is to be seen. */
  readonly to?: string
}

/** Why something was not done, in sentences for the person. `fault` is a defect of the program. */
export interface Refusal {
  readonly kind:
    'invalid' | 'unauthorized' | 'forbidden' | 'missing' | 'conflict' | 'no-room' | 'unavailable' | 'fault'
  readonly sentences: readonly string[]
}

/** What every transport carries back. */
export type Reply<M extends DeskMethod = DeskMethod> =
  { readonly ok: true; readonly value: Answer<M> } | { readonly ok: false; readonly refusal: Refusal }

/**
 * How the interface reaches the product: Electron's messages or HTTP on loopback, alike in every respect the
 * conformance suite knows of.
 */
export interface Transport {
  invoke(method: DeskMethod, payload: unknown): Promise<Reply>
  /** Returns what ends it. `onLost` is told when events may have been missed, and everything should be read again. */
  subscribe(listener: (event: DeskEvent) => void, onLost?: () => void): () => void
  /** Streams a file in where files have no paths; null where they have. */
  readonly sendFile: SendFile | null
  /** Paths of dropped files, where files have paths; null elsewhere. An empty text is a file without one. */
  readonly pathOf: ((file: File) => string) | null
}

/**
 * Sends a file as an arrival of its own, under an id the interface chose, so that it can be shown and corrected at once;
 * resolves once it has arrived whole.
 */
export type SendFile = (
  file: File,
  options: { readonly id: string; readonly draft?: Partial<ArrivalDraft>; readonly signal: AbortSignal }
) => Promise<Reply<'arrivals.retry'>>
