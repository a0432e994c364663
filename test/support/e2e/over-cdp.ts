import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { chromium, type Page } from '@playwright/test'

/** A desktop that runs by itself, of which only the page can be looked into. */
export interface Detached {
  readonly page: Page
  readonly process: ChildProcess
  /** What it wrote to its standard error. */
  readonly lines: readonly string[]
  /** Tells it to end, and resolves with its exit code. */
  stop(): Promise<number | null>
}

/**
 * Starts a desktop as the system would. Playwright's own way needs a program that can be debugged, which a packaged one
 * has given up by its fuses. `before` stands between the command and the program's own arguments.
 */
export async function startDetached(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  before: readonly string[] = []
): Promise<Detached> {
  const child = spawn(command, [...before, '--remote-debugging-port=0', ...args], {
    env,
    stdio: ['ignore', 'ignore', 'pipe']
  })
  const lines: string[] = []
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const address = await new Promise<string>((resolve, reject) => {
    createInterface(child.stderr).on('line', (line) => {
      lines.push(line)
      const [, found] = /DevTools listening on (ws:\S+)/.exec(line) ?? []
      if (found !== undefined) resolve(found)
    })
    void ended.then((code) => reject(new Error(`It ended with ${code}:\n${lines.join('\n')}`)))
  })
  const browser = await chromium.connectOverCDP(address)
  const [context] = browser.contexts()
  if (!context) throw new Error('There is no page to look at.')
  const page = context.pages()[0] ?? (await context.waitForEvent('page'))
  return {
    page,
    process: child,
    lines,
    async stop() {
      await browser.close()
      child.kill('SIGTERM')
      return ended
    }
  }
}
