import type { Arrival, ArrivalDraft } from '../../../../src-main/contract/arrivals.ts'

/** A file that was read and waits for the person, but for what is said otherwise. */
export const arrival = ({
  draft,
  ...said
}: Partial<Omit<Arrival, 'draft'>> & { draft?: Partial<ArrivalDraft> } = {}): Arrival => ({
  id: 'one',
  kind: 'path',
  fileName: 'base.box',
  origin: '/boxes/base.box',
  state: 'ready',
  position: 1,
  size: 1000,
  bytesRead: 1000,
  bytesPerSecond: null,
  confirmed: false,
  draft: {
    organization: 'acme',
    name: 'base',
    version: '1.2.0',
    provider: 'virtualbox',
    architecture: 'amd64',
    private: true,
    shortDescription: '',
    versionDescription: '',
    checksum: '',
    checksumType: 'sha256',
    release: true,
    isDefault: false,
    remotes: [],
    ...draft
  },
  found: null,
  note: null,
  problem: null,
  canRetry: false,
  createdAt: 0,
  finishedAt: null,
  ...said
})
