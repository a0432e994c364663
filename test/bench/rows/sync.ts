import { cpSync } from 'node:fs'
import { join } from 'node:path'
import type { Standing } from '../../../src-main/contract/standings.ts'
import { openCatalogue } from '../../../src-main/store/open.ts'
import { median, milliseconds, type Bench, type Benchmark, type Row } from '../harness.ts'
import { output } from '../processes.ts'
import { startRegistry } from '../registry.ts'
import type { LookCost, LookCosts } from '../sync-look.ts'

const mebibyte = 1024 * 1024
const owner = 'bench'

/** Looking what is out of step with a remote of 100,000 boxes, all of one organization, which are all here too. */
export const sync: Benchmark = {
  name: 'sync',
  needs: [],
  async run(bench) {
    const [few, many] = [bench.boxes(10_000), bench.boxes(100_000)]
    const small = await lookCosts(bench, few)
    const large = await lookCosts(bench, many)
    const what = `${many.toLocaleString('en')} boxes`
    return [
      ...rows(bench, `nothing changed, ${what}`, large.unchanged, small.unchanged),
      ...rows(bench, `listed anew, nothing changed, ${what}`, large.listed, small.listed),
      ...rows(bench, `100 of ${what} changed`, large.changed, small.changed),
      time(bench, `plan of one of ${what}`, large.planned, small.planned)
    ]
  }
}

async function lookCosts(bench: Bench, boxes: number): Promise<LookCosts> {
  const far = bench.folder('far')
  const near = bench.folder('near')
  cpSync(await bench.catalogue(boxes), far, { recursive: true })
  // It makes its owner.
  await (await startRegistry(bench, { dataDir: far })).stop()
  giveAllTo(far)
  cpSync(far, near, { recursive: true })
  makeAnother(near)
  const registry = await startRegistry(bench, { dataDir: far })
  try {
    await addRemote(near, registry.url, registry.token)
    const printed = await output(
      process.execPath,
      [join(import.meta.dirname, '../sync-look.ts'), near, far, String(bench.rounds)],
      { [tokenVariable]: registry.token }
    )
    const { costs, standings } = JSON.parse(printed) as {
      costs: LookCosts
      standings: Record<Standing, number>
    }
    if (standings['in-step'] !== boxes)
      throw new Error(`Not all boxes are in step: ${JSON.stringify(standings)}`)
    return costs
  } finally {
    await registry.stop()
  }
}

const tokenVariable = 'BOXYARD_TOKEN_FAR'

/** One organization with all boxes is the hardest listing there is. */
function giveAllTo(dataDir: string): void {
  const db = openCatalogue(dataDir)
  db.prepare(
    `UPDATE boxes SET organization_id = (SELECT id FROM organizations WHERE name_key = ?),
       name = name || '-' || id, name_key = name_key || '-' || id`
  ).run(owner)
  db.close()
}

/** A copy would be taken for the one it was copied from. */
function makeAnother(dataDir: string): void {
  const db = openCatalogue(dataDir)
  db.prepare("DELETE FROM settings WHERE key = 'registryId'").run()
  db.close()
}

/** As if each box had been compared before: reading all of them is not what is measured. */
async function addRemote(dataDir: string, url: string, token: string): Promise<void> {
  await output(process.execPath, [join(import.meta.dirname, '../sync-remote.ts'), dataDir, url], {
    [tokenVariable]: token
  })
}

const rows = (bench: Bench, what: string, large: readonly LookCost[], small: readonly LookCost[]): Row[] => [
  time(bench, `a look: ${what}`, large, small),
  growth(bench, `memory of a look: ${what}`, large, small),
  delay(`event-loop delay of a look, p99: ${what}`, large)
]

function time(bench: Bench, what: string, large: readonly LookCost[], small: readonly LookCost[]): Row {
  const [ours, theirs] = [median(large.map(({ ms }) => ms)), median(small.map(({ ms }) => ms))]
  return {
    what,
    ours: milliseconds(ours),
    against: 'a tenth of the boxes',
    theirs: milliseconds(theirs),
    figure: milliseconds(ours),
    goal: '< 2 s',
    met: bench.quick ? null : ours < 2000
  }
}

function growth(bench: Bench, what: string, large: readonly LookCost[], small: readonly LookCost[]): Row {
  const [ours, theirs] = [large, small].map((costs) =>
    median(costs.map((cost) => cost.growth / mebibyte))
  ) as [number, number]
  return {
    what,
    ours: `+${ours.toFixed(1)} MiB`,
    against: 'a tenth of the boxes',
    theirs: `+${theirs.toFixed(1)} MiB`,
    figure: `${(ours - theirs).toFixed(1)} MiB more`,
    goal: '< 32 MiB more',
    met: bench.quick ? null : ours - theirs < 32
  }
}

function delay(what: string, costs: readonly LookCost[]): Row {
  const p99 = median(costs.map(({ delay }) => delay.p99))
  return {
    what,
    ours: milliseconds(p99),
    against: `p50 ${milliseconds(median(costs.map(({ delay }) => delay.p50)))}`,
    theirs: `max ${milliseconds(Math.max(...costs.map(({ delay }) => delay.max)))}`,
    figure: milliseconds(p99),
    goal: '< 20 ms',
    met: p99 < 20
  }
}
