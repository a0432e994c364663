import { describe, expect, it } from 'vitest'
import type { Arrival, ArrivalState, Transfers } from '../../../src-main/contract/arrivals.ts'
import type { RemoteTransfer, TransferState } from '../../../src-main/contract/transfers.ts'
import { Problem } from '../../../src-main/domain/problem.ts'
import { autostartEntry } from '../../../src-main/shell/autostart.ts'
import { TransferNews } from '../../../src-main/shell/news.ts'
import { quitQuestion } from '../../../src-main/shell/quit-question.ts'
import { startQuestion } from '../../../src-main/shell/start-failure.ts'

const arrival = (id: string, state: ArrivalState, more: Partial<Arrival> = {}): Arrival => ({
  id,
  kind: 'path',
  fileName: `${id}.box`,
  origin: `/${id}.box`,
  state,
  position: 0,
  size: 1,
  bytesRead: 1,
  bytesPerSecond: null,
  confirmed: false,
  draft: {
    organization: 'acme',
    name: id,
    version: '1.0.0',
    provider: 'virtualbox',
    architecture: 'amd64',
    private: false,
    shortDescription: '',
    versionDescription: '',
    checksum: '',
    checksumType: 'sha256',
    release: true,
    isDefault: true,
    remotes: []
  },
  found: null,
  note: null,
  problem: state === 'failed' ? ['The disk is full.'] : null,
  canRetry: true,
  createdAt: 50,
  finishedAt: state === 'published' || state === 'failed' ? 200 : null,
  ...more
})

describe('news of arrivals', () => {
  const of = (news: TransferNews, ...arrivals: Arrival[]) =>
    news.of({
      name: 'transfers',
      data: { arrivals, clientUploads: [], remoteTransfers: [], gone: [], held: false }
    })

  it('tells of one that was published, and where it is', () => {
    expect(of(new TransferNews(100), arrival('base', 'published'))).toEqual({
      title: 'base.box is published',
      body: 'acme/base 1.0.0',
      to: '/box/acme/base'
    })
  })
  it('tells why one failed', () => {
    expect(of(new TransferNews(100), arrival('base', 'failed'))).toEqual({
      title: 'base.box was not published',
      body: 'The disk is full.',
      to: '/transfers'
    })
  })
  it('tells of many at once in one piece', () => {
    const ends = [arrival('a', 'published'), arrival('b', 'failed'), arrival('c', 'published')]
    expect(of(new TransferNews(100), ...ends)).toEqual({
      title: '3 box files are done',
      body: '1 of them failed.',
      to: '/transfers'
    })
  })
  it('tells each only once, and again after a retry', () => {
    const news = new TransferNews(100)
    expect(of(news, arrival('a', 'failed'))).not.toBeNull()
    expect(of(news, arrival('a', 'failed'))).toBeNull()
    expect(of(news, arrival('a', 'failed', { finishedAt: 300 }))).not.toBeNull()
  })
  it.each(['waiting', 'reading', 'ready', 'publishing', 'cancelled'] as const)(
    'says nothing of %s',
    (state) => {
      expect(of(new TransferNews(100), arrival('a', state))).toBeNull()
    }
  )
  it('says nothing of what ended before the program started', () => {
    expect(of(new TransferNews(1_000), arrival('a', 'published'))).toBeNull()
  })
})

const transfer = (state: TransferState, more: Partial<RemoteTransfer> = {}): RemoteTransfer => ({
  ...{ id: 'one', direction: 'publish', remoteId: 1, remoteName: 'Lab', organization: 'acme', box: 'base' },
  ...{ what: '1.0.0', state, position: 1, bytesDone: 0, bytesTotal: null, bytesPerSecond: null },
  ...{
    stepsTotal: 0,
    stepsDone: 0,
    step: null,
    waitingFor: null,
    nextAttemptAt: null,
    attempts: 0,
    conflicts: [],
    byMirror: false
  },
  problem: state === 'failed' ? ['The token is over.'] : null,
  createdAt: 50,
  finishedAt: state === 'done' || state === 'failed' ? 200 : null,
  ...more
})

describe('news of boxes to and from remotes', () => {
  const of = (...remoteTransfers: RemoteTransfer[]) =>
    new TransferNews(100).of({
      name: 'transfers',
      data: { arrivals: [], clientUploads: [], remoteTransfers, gone: [], held: false }
    })

  it.each([
    ['published', transfer('done'), 'acme/base is published to Lab', '1.0.0'],
    [
      'fetched',
      transfer('done', { direction: 'pull', what: 'all versions' }),
      'acme/base is here from Lab',
      'All versions'
    ],
    ['refused', transfer('failed'), 'acme/base was not published', 'To Lab: The token is over.'],
    [
      'undecided',
      transfer('failed', { conflicts: [{ key: 'k', sentence: 's', choices: [], chosen: null }] }),
      'acme/base needs a decision',
      'To Lab: The token is over.'
    ]
  ])('tell of what was %s', (_, one, title, body) => {
    expect(of(one)).toMatchObject({ title, body })
  })
  it('tell of many at once in one piece', () => {
    expect(of(transfer('done'), transfer('failed', { id: 'two' }))).toEqual({
      title: '2 transfers are done',
      body: '1 of them failed.',
      to: '/transfers'
    })
  })
  it.each([
    ['goes on', transfer('running')],
    ['waits', transfer('waiting', { problem: ['No answer.'] })],
    ['a mirror brought', transfer('done', { byMirror: true })]
  ])('say nothing of what %s', (_, one) => {
    expect(of(one)).toBeNull()
  })
})

describe('the question before quitting', () => {
  const transfers = (
    arrivals: readonly Arrival[],
    uploads: readonly string[] = [],
    remoteTransfers: readonly RemoteTransfer[] = []
  ): Transfers => ({
    arrivals,
    remoteTransfers,
    held: false,
    clientUploads: uploads.map((what, index) => ({
      id: String(index),
      what,
      box: { organization: 'acme', name: 'base' },
      size: null,
      bytesRead: 0,
      bytesPerSecond: null,
      startedAt: 0
    }))
  })

  it.each(['ready', 'published', 'failed', 'cancelled'] as const)('is not asked for what is %s', (state) => {
    expect(quitQuestion(transfers([arrival('a', state)]))).toBeNull()
  })
  it('names what would be interrupted, and what becomes of it', () => {
    const question = quitQuestion(
      transfers([arrival('a', 'reading'), arrival('b', 'waiting', { kind: 'stream' })], ['acme/base 1.0.0'])
    )
    expect(question?.message).toBe('3 transfers are still running.')
    expect(question?.detail.split('\n').slice(2)).toEqual([
      '• a.box (goes on at the next start)',
      '• b.box (has to be dropped again)',
      '• acme/base 1.0.0 (its client has to send it again)'
    ])
    expect(question?.answers).toEqual(['Quit', 'Keep running'])
  })
  it('names boxes that are on their way, and not those that wait', () => {
    const question = quitQuestion(
      transfers(
        [],
        [],
        [transfer('running'), transfer('queued'), transfer('verifying', { direction: 'pull' })]
      )
    )
    expect(question?.detail.split('\n').slice(2)).toEqual([
      '• acme/base to Lab (goes on at the next start)',
      '• acme/base from Lab (goes on at the next start)'
    ])
    expect(quitQuestion(transfers([], [], [transfer('waiting')]))).toBeNull()
  })
  it('names a few of many', () => {
    const many = Array.from({ length: 20 }, (_, index) => arrival(`a${index}`, 'waiting'))
    expect(quitQuestion(transfers(many))?.detail.split('\n').at(-1)).toBe('• and 15 more')
  })
})

describe('what is said when the product does not start', () => {
  it.each([
    [
      new Problem('conflict', 'Boxyard is already serving this folder.'),
      'Another Boxyard serves this folder.'
    ],
    [new Problem('unavailable', 'It was made by a newer Boxyard.'), 'The data folder cannot be used.'],
    [new TypeError('x is not a function'), 'Boxyard could not start.']
  ])('%s', (error, message) => {
    const question = startQuestion(error, '/srv/boxes')
    expect(question.message).toBe(message)
    expect(question.detail).toContain('/srv/boxes')
    expect(question.detail).toContain(error.message)
    expect(question.answers).toContain('Choose another folder…')
    expect(question.answers.at(-1)).toBe('Quit')
  })
})

describe('the entry that starts it at login', () => {
  it.each([
    [['/opt/Boxyard/boxyard'], 'Exec=/opt/Boxyard/boxyard --hidden'],
    [['/opt/My Apps/boxyard'], 'Exec="/opt/My Apps/boxyard" --hidden'],
    [['/opt/100%/$x'], 'Exec="/opt/100%%/\\\\$x" --hidden']
  ])('%j', (command, line) => {
    expect(autostartEntry(command).split('\n')).toContain(line)
  })

  it('is not made of a path that would add lines of its own', () => {
    expect(() => autostartEntry(['/opt/x\nHidden=true'])).toThrowError('control characters')
  })
})
