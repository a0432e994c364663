/** `npm test`: every check and every test, one after the other, and one line of sums at the end. */
import { prepare } from './prepare.mjs'
import { npm } from './runtime.mjs'

/** Scripts of package.json. A check counts as one; a suite ends with "N passed, N failed" of its own. */
const checks = ['check:types', 'check:lint', 'check:format', 'check:dead']
const suites = ['test:unit', 'test:faults', 'test:clients', 'test:e2e']

export async function testEverything() {
  const began = Date.now()
  const total = { passed: 0, failed: 0 }
  const remarks = []
  let stopped = null
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => (stopped = signal))
  for (const stage of [prepared, ...checks.map(check), ...suites.map(suite)]) {
    const start = Date.now()
    const result = await stage.run()
    total.passed += result.passed
    total.failed += result.failed
    for (const sentence of result.skipped ?? []) remarks.push(sentence)
    const sums = `${result.passed} passed, ${result.failed} failed`
    process.stdout.write(`--- ${stage.name}: ${sums}, ${seconds(start)}\n\n`)
    if (result.failed > 0) remarks.push(`FAILED ${stage.name}: ${sums}`)
    if (stopped || (stage === prepared && result.failed > 0)) break
  }
  if (stopped) remarks.push(`STOPPED by ${stopped}; not everything was run`)
  for (const remark of remarks) process.stdout.write(`${remark}\n`)
  process.stdout.write(`all of it took ${seconds(began)}\n${total.passed} passed, ${total.failed} failed\n`)
  process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0
}

const seconds = (since) => `${((Date.now() - since) / 1000).toFixed(1)} s`

const prepared = {
  name: 'install and build',
  run: async () => {
    try {
      await prepare()
      return { passed: 1, failed: 0 }
    } catch (error) {
      process.stdout.write(`${error.message}\n`)
      return { passed: 0, failed: 1 }
    }
  }
}

const check = (name) => ({
  name,
  run: async () => ((await script(name)).code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 })
})

const suite = (name) => ({
  name,
  run: async () => {
    const { code, lines } = await script(name)
    const sums = lines.findLast((line) => /^\d+ passed, \d+ failed/.test(line))
    const [passed, failed] = sums ? sums.match(/\d+/g).map(Number) : [0, 0]
    // A suite that stopped before its sums, or failed in a way it did not count, failed.
    const uncounted = failed === 0 && (code !== 0 || !sums) ? 1 : 0
    return { passed, failed: failed + uncounted, skipped: lines.filter((line) => line.startsWith('SKIPPED')) }
  }
})

/** Runs a script of package.json, showing what it prints while keeping the lines. */
async function script(name) {
  process.stdout.write(`--- ${name}\n`)
  let text = ''
  const code = await npm(['run', '--silent', name], {
    stdio: ['ignore', 'pipe', 'inherit'],
    onStart: (child) =>
      child.stdout.on('data', (chunk) => {
        process.stdout.write(chunk)
        text += chunk
      })
  })
  return { code, lines: text.split('\n') }
}
