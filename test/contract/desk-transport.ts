import assert from 'node:assert/strict'
import type { DeskEvent, DeskMethod, Refusal, Reply, Transport } from '../../src-main/contract/desk.ts'
import { Problem, type ProblemKind } from '../../src-main/domain/problem.ts'

/** A transport with the product behind it. What a real desktop cannot be made to do is absent there. */
export interface Rig {
  readonly transport: Pick<Transport, 'invoke' | 'subscribe'>
  /** Answers a method in place of the product. */
  readonly stub?: (method: DeskMethod, handler: (payload: never) => unknown) => void
  /** Breaks the connection that events come over, once. */
  readonly lose?: () => void
}

/** Something every transport does alike. Stands apart from any test framework, to be run inside a window as well. */
export interface TransportCase {
  readonly name: string
  /** Not to be run where the rig has none of it. */
  readonly needs?: 'stub' | 'lose'
  run(rig: Rig): Promise<void>
}

const kinds: readonly ProblemKind[] = [
  'invalid',
  'unauthorized',
  'forbidden',
  'missing',
  'conflict',
  'no-room',
  'unavailable'
]

const valueOf = (reply: Reply): unknown => {
  assert.ok(reply.ok, `refused: ${JSON.stringify(reply)}`)
  return reply.value
}

function refusalOf(reply: Reply): Refusal {
  assert.ok(!reply.ok, `not refused: ${JSON.stringify(reply).slice(0, 200)}`)
  assert.ok(reply.refusal.sentences.length > 0)
  for (const sentence of reply.refusal.sentences) assert.equal(typeof sentence, 'string')
  return reply.refusal
}

const unknownTo = (method: string): DeskMethod => method as DeskMethod

/** Events of one name that a transport brings, and a way to wait for them. */
function listen(rig: Rig, name: DeskEvent['name'], onLost?: () => void) {
  const events: DeskEvent[] = []
  let look = (): void => {}
  const end = rig.transport.subscribe((event) => {
    if (event.name === name) events.push(event)
    look()
  }, onLost)
  const until = (condition: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      look = () => condition() && resolve()
      look()
    })
  return { events, end, until }
}

/** The only thing that makes an event for certain, whatever is behind the transport. */
const setGrace = async (rig: Rig, graceHours: number): Promise<void> =>
  void valueOf(await rig.transport.invoke('settings.change', { graceHours }))

const graceOf = (event: DeskEvent): number => (event.name === 'settings' ? event.data.graceHours : NaN)

/** Listening takes a moment to begin: asks for events until there is one. */
async function listening(rig: Rig, onLost?: () => void) {
  const heard = listen(rig, 'settings', onLost)
  for (let hours = 1000; heard.events.length === 0; hours += 1) {
    await setGrace(rig, hours)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return heard
}

export const transportCases: readonly TransportCase[] = [
  {
    name: 'answers a call',
    async run({ transport }) {
      const about = valueOf(await transport.invoke('about', {})) as { version: string }
      assert.match(about.version, /^\d+\.\d+\.\d+/)
    }
  },
  {
    name: 'answers nothing where there is nothing to say',
    async run({ transport }) {
      const reply = await transport.invoke('preferences.write', { key: 'transport.void', value: 1 })
      assert.equal(valueOf(reply), undefined)
    }
  },
  {
    name: 'carries any text and structure both ways unchanged',
    async run({ transport }) {
      const value = {
        text: 'Ünï \u0000 \u2028 "quotes" \\ </script> \u{1F4E6} \u202Eright to left \uD800 alone',
        numbers: [0, -1, 1.5, 1e21, Number.MAX_SAFE_INTEGER],
        nested: { list: [null, true, false, '', [], {}], data: 'data: x\n\nevent: y\r\n\r\n' }
      }
      await transport.invoke('preferences.write', { key: 'transport.any', value })
      const read = valueOf(await transport.invoke('preferences.read', {})) as Record<string, unknown>
      assert.deepEqual(read['transport.any'], value)
    }
  },
  {
    name: 'carries a refusal with its sentences',
    async run({ transport }) {
      const missing = refusalOf(await transport.invoke('box.read', { organization: 'nobody', box: 'none' }))
      assert.equal(missing.kind, 'missing')
      const invalid = refusalOf(await transport.invoke('settings.change', { allowedHosts: ['<b>'] }))
      assert.equal(invalid.kind, 'invalid')
      assert.match(invalid.sentences.join(' '), /"<b>"/)
    }
  },
  {
    name: 'carries every kind of refusal',
    needs: 'stub',
    async run({ transport, stub }) {
      for (const kind of kinds) {
        stub?.('storage.summary', () => {
          throw new Problem(kind, 'First.', 'Second.')
        })
        const refusal = refusalOf(await transport.invoke('storage.summary', {}))
        assert.deepEqual(refusal, { kind, sentences: ['First.', 'Second.'] })
      }
    }
  },
  {
    name: 'refuses methods that are none of the contract',
    async run({ transport }) {
      for (const method of [
        'no.such',
        '',
        '__proto__',
        'constructor',
        'toString',
        '../session',
        'about?',
        'é'
      ])
        assert.equal(refusalOf(await transport.invoke(unknownTo(method), {})).kind, 'missing', method)
    }
  },
  {
    name: 'refuses payloads that are not as the contract says',
    async run({ transport }) {
      for (const payload of [null, undefined, 5, 'x', [], [{}], { more: 1 }, { organization: 'acme' }])
        assert.equal(refusalOf(await transport.invoke('box.read', payload)).kind, 'invalid')
      const long = { organization: 'x'.repeat(1001), box: 'y' }
      assert.equal(refusalOf(await transport.invoke('box.read', long)).kind, 'invalid')
    }
  },
  {
    name: 'says of a fault that there was one, and nothing of what is inside',
    needs: 'stub',
    async run({ transport, stub }) {
      const faults: readonly (() => unknown)[] = [
        () => {
          throw new Error('secret /home/someone')
        },
        () => {
          throw 'secret text'
        },
        () => {
          throw null
        },
        () => Promise.reject(new TypeError('secret later'))
      ]
      for (const fault of faults) {
        stub?.('storage.summary', fault)
        const reply = await transport.invoke('storage.summary', {})
        assert.equal(refusalOf(reply).kind, 'fault')
        assert.ok(!JSON.stringify(reply).includes('secret'))
      }
      valueOf(await transport.invoke('about', {}))
    }
  },
  {
    name: 'carries answers of many megabytes',
    needs: 'stub',
    async run({ transport, stub }) {
      const rows = Array.from({ length: 100_000 }, (_, at) => ({ at, text: `row ${at} `.repeat(20) }))
      stub?.('trash.list', () => rows)
      assert.deepEqual(valueOf(await transport.invoke('trash.list', {})), rows)
    }
  },
  {
    name: 'carries payloads of a million parts',
    needs: 'stub',
    async run({ transport, stub }) {
      const ids = Array.from({ length: 1_000_000 }, (_, at) => at + 1)
      stub?.('library.setPrivate', (payload: { ids: number[] }) => ({ changed: payload.ids.length }))
      const reply = await transport.invoke('library.setPrivate', { ids, private: true })
      assert.deepEqual(valueOf(reply), { changed: 1_000_000 })
    }
  },
  {
    name: 'gives each of many calls at once its own answer',
    async run({ transport }) {
      const calls = Array.from({ length: 200 }, async (_, at) => {
        const { html } = valueOf(await transport.invoke('text.preview', { markdown: `n${at}` })) as {
          html: string
        }
        assert.equal(html, `<p>n${at}</p>`)
      })
      await Promise.all(calls)
    }
  },
  {
    name: 'lets no call wait for a slower one',
    needs: 'stub',
    async run({ transport, stub }) {
      let release = (): void => {}
      stub?.('storage.summary', () => new Promise<void>((resolve) => (release = resolve)))
      let slowDone = false
      const slow = transport.invoke('storage.summary', {}).then((reply) => {
        slowDone = true
        return reply
      })
      valueOf(await transport.invoke('about', {}))
      assert.equal(slowDone, false)
      release()
      valueOf(await slow)
    }
  },
  {
    name: 'brings events in the order they came about',
    async run(rig) {
      const { events, end, until } = await listening(rig)
      events.length = 0
      const hours = Array.from({ length: 40 }, (_, at) => at + 1)
      for (const each of hours) await setGrace(rig, each)
      await until(() => events.some((event) => graceOf(event) === 40))
      assert.deepEqual(
        events.map(graceOf).filter((each) => each <= 40),
        hours
      )
      end()
    }
  },
  {
    name: 'brings events to everybody who listens, and to nobody who has ended it',
    async run(rig) {
      const first = await listening(rig)
      const second = await listening(rig)
      first.end()
      first.end()
      const before = first.events.length
      await setGrace(rig, 77)
      await second.until(() => second.events.some((event) => graceOf(event) === 77))
      assert.equal(first.events.length, before)
      second.end()
    }
  },
  {
    name: 'says when events may have been missed, and goes on bringing them',
    needs: 'lose',
    async run(rig) {
      let losses = 0
      let hear = (): void => {}
      const heard = await listening(rig, () => {
        losses += 1
        hear()
      })
      // A connection that takes time to open may have said so already.
      const before = losses
      const again = new Promise<void>((resolve) => (hear = () => losses > before && resolve()))
      rig.lose?.()
      await again
      await setGrace(rig, 88)
      await heard.until(() => heard.events.some((event) => graceOf(event) === 88))
      heard.end()
    }
  }
]
