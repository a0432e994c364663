import { onTestFinished } from 'vitest'
import { startCore, type Core, type CoreOptions } from '../../src-main/core.ts'
import type { DeskMethod, Reply } from '../../src-main/contract/desk.ts'
import { Desk } from '../../src-main/desk/desk.ts'
import type { Handlers } from '../../src-main/desk/handlers.ts'
import { rememberingLog } from './registry.ts'
import { tempDir } from './temp.ts'

type Handler = (payload: never) => unknown

/** A desk some of whose methods are a test's own. */
export class StubbableDesk extends Desk {
  readonly #real: Desk
  readonly #stubs: Partial<Record<DeskMethod, Handler>> = {}
  readonly #stubbed: Desk

  constructor(real: Desk, log = rememberingLog()) {
    const parts = { handlers: {} as Handlers, hub: real.hub, log }
    super(parts)
    this.#real = real
    this.#stubbed = new Desk({ ...parts, handlers: this.#stubs as Handlers })
  }

  stub(method: DeskMethod, handler: Handler): void {
    this.#stubs[method] = handler
  }

  override call(method: unknown, payload: unknown): Promise<Reply> {
    const isStub = typeof method === 'string' && Object.hasOwn(this.#stubs, method)
    return (isStub ? this.#stubbed : this.#real).call(method, payload)
  }
}

/** The whole product at work on a folder of its own, for the test that runs. */
export async function openCore(options: Partial<CoreOptions> = {}): Promise<Core> {
  const core = await startCore({
    dataDir: tempDir(),
    log: rememberingLog(),
    owner: 'acme',
    fixed: { port: 0 },
    ...options
  })
  let stopped: Promise<void> | null = null
  const stop: Core['stop'] = (...carrier) => (stopped ??= core.stop(...carrier))
  onTestFinished(() => stop())
  return { ...core, stop }
}
