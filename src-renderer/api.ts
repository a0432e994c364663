import type {
  Answer,
  DeskEventName,
  DeskEvents,
  DeskMethod,
  Payload,
  Refusal,
  Transport
} from '../src-main/contract/desk.ts'
import { httpTransport } from './http-transport.ts'

declare global {
  interface Window {
    /** Put there by the desktop's preload; absent in a browser. */
    readonly boxyard?: Transport
  }
}

const transport: Transport = window.boxyard ?? httpTransport()

/** Something was not done. The sentences are for the person. */
export class Refused extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.sentences.join(' '))
    this.name = 'Refused'
    this.refusal = refusal
  }
}

/** Asks the product for something, or to do something. */
export async function ask<M extends DeskMethod>(method: M, payload: Payload<M>): Promise<Answer<M>> {
  // State of Svelte is proxies, which cannot be sent.
  const reply = await transport.invoke(method, JSON.parse(JSON.stringify(payload)))
  if (reply.ok) return reply.value as Answer<M>
  for (const listener of refused) listener(reply.refusal)
  throw new Refused(reply.refusal)
}

const refused = new Set<(refusal: Refusal) => void>()
/** Told of everything that is refused, whoever asked. */
export function onRefused(listener: (refusal: Refusal) => void): () => void {
  refused.add(listener)
  return () => void refused.delete(listener)
}

type Listeners = { [N in DeskEventName]?: Set<(data: DeskEvents[N]) => void> }
const listeners: Listeners = {}
const lost = new Set<() => void>()

transport.subscribe(({ name, data }) => {
  for (const listener of listeners[name] ?? []) (listener as (data: unknown) => void)(data)
}, announceLost)

/** Has everything read again: events may have been missed. */
export function announceLost(): void {
  for (const listener of lost) listener()
}

/** Returns what ends the listening. */
export function onEvent<N extends DeskEventName>(
  name: N,
  listener: (data: DeskEvents[N]) => void
): () => void {
  const set: Set<(data: DeskEvents[N]) => void> = (listeners[name] ??= new Set() as never)
  set.add(listener)
  return () => void set.delete(listener)
}

/** Told when events may have been missed: the connection broke and is there again. */
export function onLost(listener: () => void): () => void {
  lost.add(listener)
  return () => void lost.delete(listener)
}

/** Null where files have paths, which are then given instead. */
export const sendFile = transport.sendFile
export const pathOf = transport.pathOf
