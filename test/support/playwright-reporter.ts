import { readFileSync } from 'node:fs'
import type { FullConfig, FullResult, Reporter, Suite, TestCase, TestResult } from '@playwright/test/reporter'

/** One line a test, what its program said when it failed, and a plain last line: "N passed, N failed". */
export default class Plain implements Reporter {
  #root: Suite | undefined

  onBegin(_config: FullConfig, root: Suite): void {
    this.#root = root
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    if (isElsewhere(test)) return
    const [, project, ...names] = test.titlePath()
    const verdict = result.status === 'skipped' || result.status === test.expectedStatus ? 'ok' : 'not ok'
    const skipped = result.status === 'skipped' ? ' # SKIP' : ''
    console.log(`${verdict} - [${project}] ${names.join(' > ')} (${result.duration} ms)${skipped}`)
    if (result.status === 'skipped')
      for (const { type, description } of test.annotations)
        if (type === 'skip' && description?.startsWith('SKIPPED')) console.log(description)
    for (const error of result.errors) console.log(indented(error.stack ?? error.message ?? ''))
    if (verdict === 'ok') return
    for (const { name, path, body } of result.attachments) {
      const isText = name === 'log'
      if (isText) console.log(indented(String(body ?? (path && readFileSync(path, 'utf8')))))
      else if (path) console.log(indented(`${name}: ${path}`))
    }
  }

  onStdOut(chunk: string | Buffer): void {
    process.stdout.write(chunk)
  }

  onStdErr(chunk: string | Buffer): void {
    process.stderr.write(chunk)
  }

  onError(error: { message?: string; stack?: string }): void {
    console.log(`error: ${error.stack ?? error.message}`)
  }

  onEnd(result: FullResult): void {
    const tests = (this.#root?.allTests() ?? []).filter((test) => !isElsewhere(test))
    const count = (outcome: string): number => tests.filter((test) => test.outcome() === outcome).length
    const failed = count('unexpected')
    // A run that broke without a failed test (a build, a config) failed as well.
    const uncounted = result.status !== 'passed' && failed === 0 ? 1 : 0
    const skipped = count('skipped')
    console.log(
      `${count('expected') + count('flaky')} passed, ${failed + uncounted} failed${skipped ? `, ${skipped} skipped` : ''}`
    )
  }

  printsToStdio(): boolean {
    return true
  }
}

/** About another face than the one of its project: see `onlyOn` in test/e2e/fixtures.ts. */
const isElsewhere = (test: TestCase): boolean =>
  test.annotations.some(({ type, description }) => type === 'skip' && description?.startsWith('only on'))

const indented = (text: string): string => `    ${text.trimEnd().replaceAll('\n', '\n    ')}`
