import type { Remote } from '../../../../src-main/contract/remotes.ts'
import type { SyncPlanView, SyncStepView } from '../../../../src-main/contract/sync.ts'

/** A registry that answers and takes its token, but for what is said otherwise. */
export const remote = (said: Partial<Remote> = {}): Remote => ({
  id: 1,
  name: 'Lab',
  kind: 'http',
  location: 'https://boxes.lab.example',
  api: 'v2',
  account: 'ann',
  organizations: ['acme'],
  organizationMap: {},
  allowPlainHttp: false,
  hasCertificates: false,
  token: 'keychain',
  tokenNote: null,
  checkMinutes: 60,
  health: 'fine',
  healthNote: null,
  checkedAt: 0,
  pausedUntil: null,
  standings: {},
  createdAt: 0,
  ...said
})

/** A plan of these steps, named by their keys: "create-version 1.2.0". */
export const syncPlan = (keys: readonly string[] = [], said: Partial<SyncPlanView> = {}): SyncPlanView => ({
  remoteId: 1,
  direction: 'publish',
  organization: 'acme',
  box: 'base',
  steps: keys.map((key) => ({
    key,
    kind: key.split(' ')[0] as SyncStepView['kind'],
    sentence: key,
    bytes: 0,
    optional: false,
    leftOut: false
  })),
  conflicts: [],
  notes: [],
  bytes: 0,
  removable: false,
  asSeenAt: null,
  unreachable: null,
  ...said
})
