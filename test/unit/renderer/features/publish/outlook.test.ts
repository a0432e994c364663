import { describe, expect, it } from 'vitest'
import type { ArrivalPlan, PlanStep } from '../../../../../src-main/contract/arrivals.ts'
import { organizationAt, outlookOf } from '../../../../../src-renderer/features/publish/outlook.ts'
import { arrival } from '../arrival.ts'
import { remote, syncPlan } from '../remote.ts'

type Subject = Parameters<typeof outlookOf>[0]

const doing = (...kinds: PlanStep['kind'][]): ArrivalPlan => ({
  steps: kinds.map((kind) => ({ kind, sentence: kind })),
  problems: []
})
const newBox = doing('create-box', 'create-version', 'create-image', 'release')
const newVersion = doing('create-version', 'create-image', 'release')
const newImage = doing('create-image')

const subject = (said: Partial<Subject> = {}): Subject => ({
  remote: remote(),
  draft: arrival().draft,
  size: 1.4e9,
  plan: newBox,
  found: { publish: undefined, pull: syncPlan() },
  ...said
})
const notes = (said: Partial<Subject>): string[] =>
  outlookOf(subject(said)).notes.map(({ sentence }) => sentence)

describe('what happens at a remote', () => {
  it.each<{ what: string; said: Partial<Subject>; sentence: string | null }>([
    {
      what: 'has nothing of it',
      said: {},
      sentence:
        'Makes the box acme/base, adds version 1.2.0, sends virtualbox/amd64 (1.4 GB) and releases 1.2.0 there.'
    },
    {
      what: 'calls the organization otherwise',
      said: { remote: remote({ organizationMap: { Acme: 'corp' }, organizations: ['corp'] }) },
      sentence:
        'Makes the box corp/base, adds version 1.2.0, sends virtualbox/amd64 (1.4 GB) and releases 1.2.0 there.'
    },
    {
      what: 'has the box, which is not here',
      said: { found: { publish: undefined, pull: syncPlan(['create-box']) } },
      sentence: 'Adds version 1.2.0, sends virtualbox/amd64 (1.4 GB) and releases 1.2.0 there.'
    },
    {
      what: 'has the box and the version, which are not here',
      said: { found: { publish: undefined, pull: syncPlan(['create-box', 'create-version 1.2.0']) } },
      sentence: 'Sends virtualbox/amd64 (1.4 GB) and releases 1.2.0 there.'
    },
    {
      what: 'has not the box that is here',
      said: { plan: newVersion, found: { publish: syncPlan(['create-box']), pull: syncPlan() } },
      sentence:
        'Makes the box acme/base, adds version 1.2.0, sends virtualbox/amd64 (1.4 GB) and releases 1.2.0 there.'
    },
    {
      what: 'has the box that is here',
      said: { plan: newVersion, found: { publish: syncPlan(), pull: syncPlan() } },
      sentence: 'Adds version 1.2.0, sends virtualbox/amd64 (1.4 GB) and releases 1.2.0 there.'
    },
    {
      what: 'has not the version that is here',
      said: {
        plan: newImage,
        found: { publish: syncPlan(['create-version 1.2.0']), pull: syncPlan() }
      },
      sentence: 'Adds version 1.2.0, sends virtualbox/amd64 (1.4 GB) and releases 1.2.0 there.'
    },
    {
      what: 'has the version that is here',
      said: { plan: newImage, found: { publish: syncPlan(), pull: syncPlan() } },
      sentence: 'Sends virtualbox/amd64 (1.4 GB) and releases 1.2.0 there.'
    },
    {
      what: 'is not known',
      said: { found: { publish: undefined, pull: undefined } },
      sentence:
        'Makes what is missing of acme/base 1.2.0, sends virtualbox/amd64 (1.4 GB) and releases 1.2.0 there.'
    },
    {
      what: 'gets a file that stays at its address',
      said: { size: null, draft: arrival({ draft: { release: false } }).draft },
      sentence:
        'Makes the box acme/base, adds version 1.2.0 and adds virtualbox/amd64 to 1.2.0, whose file stays at its address.'
    },
    {
      what: 'gets what has no name yet',
      said: { draft: arrival({ draft: { name: '' } }).draft },
      sentence: null
    }
  ])('that $what', ({ said, sentence }) => {
    expect(outlookOf(subject(said)).sentence).toBe(sentence)
  })

  it('is a question where it has that image already, and the file is not sent', () => {
    const pull = syncPlan(['create-box', 'create-version 1.2.0', 'create-image 1.2.0 virtualbox/amd64'])
    const { sentence, notes } = outlookOf(subject({ found: { publish: undefined, pull } }))
    expect(sentence).toBe('Releases 1.2.0 there.')
    expect(notes).toEqual([
      { serious: true, sentence: expect.stringContaining('Lab has virtualbox/amd64 of 1.2.0 already.') }
    ])
  })

  it('where the file here is replaced, the remote has the one before', () => {
    const found = { publish: syncPlan(), pull: syncPlan() }
    expect(notes({ plan: doing('replace-image'), found })).toEqual([
      expect.stringContaining('you are asked before anything is done')
    ])
  })
})

it('where the file here is this very one already, the remote has no other', () => {
  const found = { publish: syncPlan(), pull: syncPlan() }
  expect(notes({ plan: doing('nothing'), found })).toEqual([])
})

describe('what the person should know before', () => {
  it.each<{ said: Partial<Subject>; note: string }>([
    {
      said: { found: { publish: undefined, pull: syncPlan([], { asSeenAt: 0, unreachable: ['No.'] }) } },
      note: 'Lab does not answer now; it goes there when it does.'
    },
    {
      said: { remote: remote({ health: 'unreachable' }), found: { publish: undefined, pull: undefined } },
      note: 'Lab does not answer now; it goes there when it does.'
    },
    { said: { remote: remote({ token: 'none' }) }, note: 'There is no token for Lab' },
    { said: { remote: remote({ token: 'lost', tokenNote: 'It is locked.' }) }, note: 'It is locked.' },
    { said: { remote: remote({ health: 'refused' }) }, note: 'does not take its token' },
    { said: { remote: remote({ health: 'another' }) }, note: 'Something else answers as Lab' },
    { said: { remote: remote({ health: 'billing' }) }, note: 'a bill has to be paid' },
    { said: { remote: remote({ organizations: ['corp'] }) }, note: 'ann has no organization acme at Lab' },
    { said: { remote: remote({ api: 'v1' }) }, note: 'knows no architectures' },
    {
      said: {
        plan: newVersion,
        found: { publish: syncPlan([], { notes: ['Lab can only be read.'] }), pull: syncPlan() }
      },
      note: 'Lab can only be read.'
    },
    {
      said: { found: { publish: undefined, pull: undefined, problem: ['That is no name.'] } },
      note: 'That is no name.'
    }
  ])('$note', ({ said, note }) => {
    expect(notes(said)).toEqual([expect.stringContaining(note)])
  })

  it.each<{ what: string; said: Partial<Subject> }>([
    { what: 'all is well', said: {} },
    {
      what: 'a folder needs no token',
      said: { remote: remote({ kind: 'folder', token: 'none', account: null }) }
    },
    { what: 'a remote does not tell its organizations', said: { remote: remote({ organizations: [] }) } },
    { what: 'names differ by case alone', said: { remote: remote({ organizations: ['ACME'] }) } }
  ])('nothing when $what', ({ said }) => {
    expect(notes(said)).toEqual([])
  })
})

it.each([
  { name: 'acme', there: 'corp' },
  { name: 'ACME', there: 'corp' },
  { name: 'other', there: 'other' }
])('$name is $there at a remote that calls acme corp', ({ name, there }) => {
  expect(organizationAt({ organizationMap: { acme: 'corp' } }, name)).toBe(there)
})
