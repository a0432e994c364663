/** `npm run bench [-- --only NAME,NAME] [--rounds N] [--quick]`: how fast the product is, as ratios on this machine. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { provide } from '../support/system-packages.ts'
import { Bench, type Row } from './harness.ts'
import { download } from './rows/download.ts'
import { importing } from './rows/import.ts'
import { interfaceFeel } from './rows/interface.ts'
import { library } from './rows/library.ts'
import { loopDelay } from './rows/loop-delay.ts'
import { memory } from './rows/memory.ts'
import { remoteTransfer } from './rows/remote-transfer.ts'
import { requests } from './rows/requests.ts'
import { search } from './rows/search.ts'
import { start } from './rows/start.ts'
import { sync } from './rows/sync.ts'
import { upload } from './rows/upload.ts'

const benchmarks = [
  upload,
  download,
  importing,
  memory,
  requests,
  start,
  search,
  library,
  sync,
  remoteTransfer,
  loopDelay,
  interfaceFeel
]
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    quick: { type: 'boolean', default: false }
  }
})
const names = values.only?.split(',') ?? benchmarks.map(({ name }) => name)
const chosen = benchmarks.filter(({ name }) => names.includes(name))
const rounds = Number(values.rounds)
if (chosen.length < names.length || !Number.isInteger(rounds) || rounds < 1) {
  console.error(
    `usage: npm run bench -- [--only ${benchmarks.map(({ name }) => name).join(',')}] [--rounds N] [--quick]`
  )
  process.exit(2)
}

// On the project's own disk: a temporary folder is often memory, and then nothing here would mean anything.
const results = resolve(import.meta.dirname, '../../bench-results')
mkdirSync(results, { recursive: true })
const scratch = mkdtempSync(join(results, 'scratch-'))
try {
  const rows = await measure()
  const report = { date: new Date().toISOString(), machine: machine(), rounds, quick: values.quick, rows }
  const file = join(results, report.date.replaceAll(/[:.]/g, '-'))
  writeFileSync(`${file}.json`, `${JSON.stringify(report, null, 2)}\n`)
  writeFileSync(
    `${file}.md`,
    `${report.date}, ${report.machine}, median of ${rounds} rounds by turns\n\n${table(rows)}`
  )
  console.log(`\n${table(rows)}\n${file}.md`)
  process.exitCode = rows.some((row) => row.met === false) ? 1 : 0
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

async function measure(): Promise<Row[]> {
  const bench = new Bench(scratch, rounds, values.quick)
  const rows: Row[] = []
  for (const benchmark of chosen) {
    const trouble = provide(benchmark.needs)
    if (trouble) {
      console.log(`SKIPPED ${benchmark.name}: ${trouble}`)
      continue
    }
    console.log(`${benchmark.name} …`)
    for (const row of await benchmark.run(bench)) {
      console.log(
        `  ${row.what}: ${row.figure} (${row.ours}; ${row.against}: ${row.theirs}), goal ${row.goal ?? '–'}: ${verdict(row)}`
      )
      rows.push(row)
    }
  }
  return rows
}

function table(rows: readonly Row[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`
  const head = ['what', 'ours', 'against', 'theirs', 'figure', 'goal', '']
  const cells = rows.map((row) => [
    row.what,
    row.ours,
    row.against,
    row.theirs,
    row.figure,
    row.goal ?? '–',
    verdict(row)
  ])
  return [head, head.map(() => '---'), ...cells].map(line).join('')
}

function verdict(row: Row): string {
  if (row.goal === null) return '–'
  if (row.met === null) return 'too small to tell'
  return row.met ? 'met' : 'MISSED'
}

function machine(): string {
  const memory = Math.round(totalmem() / 1024 ** 3)
  return `${availableParallelism()} × ${cpus()[0]?.model ?? process.arch}, ${memory} GiB, ${process.platform}, Node ${process.versions.node}`
}
