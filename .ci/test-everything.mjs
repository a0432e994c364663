/** `npm test`: every check and every test, and one line of sums at the end. */
import { prepare } from './prepare.mjs'
import { npm } from './runtime.mjs'

/**
 * Scripts of package.json. Those of a group run side by side: by itself none of them keeps two processors busy. A check
 * counts as one; a suite ends with "N passed, N failed" of its own.
 */
const groups = [
  [{ name: 'install and build', run: installAndBuild }],
  ['check:types', 'check:lint', 'check:format', 'check:dead'].map(check),
  ['test:unit'].map(suite),
  ['test:faults', 'test:clients'].map(suite),
  ['test:e2e'].map(suite)
]

export async function testEverything() {
  const began = Date.now()
  const total = { passed: 0, failed: 0 }
  const remarks = []
  let stopped = null
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => (stopped = signal))
  for (const group of groups) {
    const results = await Promise.all(group.map((stage) => runStage(stage, group.length === 1)))
    for (const { name, passed, failed, skipped } of results) {
      total.passed += passed
      total.failed += failed
      remarks.push(...skipped)
      if (failed > 0) remarks.push(`FAILED ${name}: ${sums({ passed, failed })}`)
    }
    if (stopped || total.passed === 0) break
  }
  if (stopped) remarks.push(`STOPPED by ${stopped}; not everything was run`)
  for (const remark of remarks) process.stdout.write(`${remark}\n`)
  process.stdout.write(`all of it took ${seconds(began)}\n${sums(total)}\n`)
  process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0
}

const seconds = (since) => `${((Date.now() - since) / 1000).toFixed(1)} s`
const sums = ({ passed, failed }) => `${passed} passed, ${failed} failed`

/** What a stage says is shown as it comes where it runs alone, and in one piece where others run beside it. */
async function runStage({ name, run }, alone) {
  const start = Date.now()
  const held = []
  const say = (text) => void (alone ? process.stdout.write(text) : held.push(text))
  say(`--- ${name}\n`)
  const result = await run(say)
  say(`--- ${name}: ${sums(result)}, ${seconds(start)}\n\n`)
  process.stdout.write(held.join(''))
  return { name, skipped: [], ...result }
}

async function installAndBuild(say) {
  try {
    await prepare()
    return { passed: 1, failed: 0 }
  } catch (error) {
    say(`${error.message}\n`)
    return { passed: 0, failed: 1 }
  }
}

function check(name) {
  return {
    name,
    run: async (say) => {
      const { code } = await script(name, say)
      return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
    }
  }
}

function suite(name) {
  return {
    name,
    run: async (say) => {
      const { code, lines } = await script(name, say)
      const last = lines.findLast((line) => /^\d+ passed, \d+ failed/.test(line))
      const [passed, failed] = last ? last.match(/\d+/g).map(Number) : [0, 0]
      // A suite that stopped before its sums, or failed in a way it did not count, failed.
      const uncounted = failed === 0 && (code !== 0 || !last) ? 1 : 0
      return {
        passed,
        failed: failed + uncounted,
        skipped: lines.filter((line) => line.startsWith('SKIPPED'))
      }
    }
  }
}

/** Runs a script of package.json, and keeps the lines of what it prints. */
async function script(name, say) {
  let text = ''
  const code = await npm(['run', '--silent', name], {
    stdio: ['ignore', 'pipe', 'pipe'],
    onStart: ({ stdout, stderr }) => {
      for (const stream of [stdout, stderr]) stream.setEncoding('utf8').on('data', say)
      stdout.on('data', (chunk) => (text += chunk))
    }
  })
  return { code, lines: text.split('\n') }
}
