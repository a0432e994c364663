import { createApp } from '../../../src-main/app.ts'
import type { SearchQuery } from '../../../src-main/catalog/search.ts'
import { silentLog } from '../../../src-main/log.ts'
import { program } from '../../support/system-packages.ts'
import { median, milliseconds, type Bench, type Benchmark, type Row } from '../harness.ts'
import { loopDelayProbe } from '../loop-delay.ts'
import { watchLoop, type LoopDelay } from '../loop-watch.ts'
import { curlSeconds } from '../processes.ts'
import { startRegistry, type Registry } from '../registry.ts'
import { searchMix } from '../search.ts'

/** How long the main thread of the process that does the work keeps everything else in it waiting. */
export const loopDelay: Benchmark = {
  name: 'loop-delay',
  needs: [program('curl')],
  async run(bench) {
    const seen = { upload: [] as LoopDelay[], import: [] as LoopDelay[], search: [] as LoopDelay[] }
    const catalogue = await bench.catalogue(bench.boxes(1_000_000))
    for (let round = 0; round < bench.rounds; round++) {
      seen.upload.push(await duringUpload(bench))
      seen.import.push(await duringImport(bench))
      seen.search.push(await duringSearch(bench, catalogue))
    }
    return Object.entries(seen).map(([what, delays]) => row(what, delays))
  }
}

const duringUpload = async (bench: Bench): Promise<LoopDelay> =>
  whileServing(bench, bench.folder('data'), async (registry) => {
    const url = await (await registry.addBox('upload')).uploadUrl()
    const file = await bench.boxFile(bench.large)
    return () => curlSeconds('-T', file, url)
  })

/** In this process: a command's own start is over before it imports, and would hide what an import does. */
async function duringImport(bench: Bench): Promise<LoopDelay> {
  const file = await bench.boxFile(bench.large)
  const app = await createApp({ dataDir: bench.folder('data'), log: silentLog })
  try {
    app.accounts.ensureOwner('bench')
    const watch = watchLoop()
    await app.importer.importFile(file, { name: 'image', version: '1.0.0' })
    return watch.read()
  } finally {
    await app.close()
  }
}

const duringSearch = async (bench: Bench, dataDir: string): Promise<LoopDelay> =>
  whileServing(bench, dataDir, async ({ url }) => async () => {
    const queries = searchMix(500).map(asParameters)
    const until = performance.now() + (bench.quick ? 1000 : 5000)
    const person = async (first: number): Promise<void> => {
      for (let turn = first; performance.now() < until; turn++)
        await (await fetch(`${url}/api/v2/search?${queries[turn % queries.length]}`)).arrayBuffer()
    }
    await Promise.all([person(0), person(1), person(2), person(3)])
  })

function asParameters(query: SearchQuery): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value) parameters.set(name, String(value))
  return parameters.toString()
}

/** Starts a server that is watched, prepares, and reads what was seen during the work alone. */
async function whileServing(
  bench: Bench,
  dataDir: string,
  prepare: (registry: Registry) => Promise<() => Promise<unknown>>
): Promise<LoopDelay> {
  const probe = loopDelayProbe()
  const registry = await startRegistry(bench, { dataDir, env: probe.env })
  try {
    const work = await prepare(registry)
    await probe.read(registry.pid)
    await work()
    return await probe.read(registry.pid)
  } finally {
    await registry.stop()
    probe.drop()
  }
}

function row(what: string, delays: readonly LoopDelay[]): Row {
  const p99 = median(delays.map((delay) => delay.p99))
  return {
    what: `event-loop delay during ${what}, p99`,
    ours: milliseconds(p99),
    against: `p50 ${milliseconds(median(delays.map((delay) => delay.p50)))}`,
    theirs: `max ${milliseconds(Math.max(...delays.map((delay) => delay.max)))}`,
    figure: milliseconds(p99),
    goal: '< 20 ms',
    met: p99 < 20
  }
}
