import { program } from '../../support/system-packages.ts'
import { byTurns, median, times, type Bench, type Benchmark, type Row } from '../harness.ts'
import { curlSeconds, requestsPerSecond, startBareServer } from '../processes.ts'
import { startRegistry } from '../registry.ts'

/** What clients ask most, against a bare node:http that answers with the very same headers and bytes. */
export const requests: Benchmark = {
  name: 'requests',
  needs: [program('wrk'), program('curl')],
  async run(bench) {
    const registry = await startRegistry(bench)
    try {
      const box = await registry.addBox('requests')
      await curlSeconds('-T', await bench.boxFile(1024), await box.uploadUrl())
      await box.release()
      const api = `${registry.url}/api/v2`
      return [
        await compare(bench, 'GET /api/v2/box/…', `${api}/box/${registry.owner}/requests`, {}),
        await compare(bench, 'GET /api/v2/authenticate', `${api}/authenticate`, registry.authorization)
      ]
    } finally {
      await registry.stop()
    }
  }
}

/** Node's own server adds these to every answer, ours and the bare one's. */
const added = new Set(['date', 'connection', 'keep-alive'])

async function compare(
  bench: Bench,
  what: string,
  url: string,
  headers: Record<string, string>
): Promise<Row> {
  const answer = await fetch(url, { headers })
  if (answer.status !== 200) throw new Error(`${what} was answered with ${answer.status}.`)
  const same = Object.fromEntries([...answer.headers].filter(([name]) => !added.has(name)))
  const bare = await startBareServer({ headers: same, body: await answer.text() })
  try {
    const duration = bench.quick ? 1 : 4
    const rates = await byTurns(bench.rounds, {
      ours: () => requestsPerSecond(url, duration, headers),
      bare: () => requestsPerSecond(bare.url, duration, headers)
    })
    const [ours, theirs] = [median(rates.ours), median(rates.bare)]
    return {
      what,
      ours: `${Math.round(ours)} a second`,
      against: 'bare node:http with the same answer',
      theirs: `${Math.round(theirs)} a second`,
      figure: times(ours / theirs),
      goal: `≥ ${times(0.5)} its requests`,
      met: bench.quick ? null : ours / theirs >= 0.5
    }
  } finally {
    await bare.stop()
  }
}
