import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { boxyard } from '../../support/product.ts'
import { program } from '../../support/system-packages.ts'
import {
  byTurns,
  makeDifferent,
  median,
  mibPerSecond,
  milliseconds,
  times,
  type Bench,
  type Benchmark,
  type Row
} from '../harness.ts'
import { curlSeconds, seconds } from '../processes.ts'
import { startRegistry, type Registry } from '../registry.ts'
import type { LookCost } from '../sync-look.ts'
import { transferCosts, type Wanted } from '../transfer-cost.ts'

const mebibyte = 1024 * 1024
const tokenVariable = 'BOXYARD_TOKEN_FAR'

/** A box of 2 GiB to another Boxyard on this machine and back, against curl with the same server and the same bytes. */
export const remoteTransfer: Benchmark = {
  name: 'remote-transfer',
  needs: [program('curl'), program('openssl')],
  async run(bench) {
    const size = (bench.quick ? 256 : 2048) * mebibyte
    const files = { large: await bench.boxFile(size), small: await bench.boxFile(Math.round(size / 10)) }
    const registry = await startRegistry(bench)
    try {
      return [...(await publishing(bench, registry, files)), ...(await pulling(bench, registry, files))]
    } finally {
      await registry.stop()
    }
  }
}

type Files = Readonly<Record<'large' | 'small', string>>
type Costs = Record<'large' | 'small', LookCost[]>

async function publishing(bench: Bench, registry: Registry, files: Files): Promise<Row[]> {
  const near = await folderWithRemote(bench, registry)
  const target = await registry.addBox('by-curl')
  const costs: Costs = { large: [], small: [] }
  const makeRoom = (): void => {
    for (const dir of [registry.dataDir, near])
      rmSync(join(dir, 'blobs', 'sha256'), { recursive: true, force: true })
  }
  let version = 0
  const prepared = async (size: keyof Files): Promise<Wanted> => {
    // Or its bytes would be found to be there already.
    makeDifferent(files[size])
    version += 1
    const wanted = { organization: registry.owner, box: 'published', version: `${version}.0.0` }
    const names = ['--org', wanted.organization, '--name', wanted.box, '--box-version', wanted.version]
    await boxyard(['import', files[size], ...names, '--data', near])
    return { direction: 'publish', ...wanted }
  }
  const took = await byTurns(bench.rounds, {
    ours: async () => {
      makeRoom()
      const [small, large] = [await prepared('small'), await prepared('large')]
      return noted(costs, await transferCosts(near, [small, large], environment(registry)))
    },
    curl: async () => {
      makeRoom()
      makeDifferent(files.large)
      return curlSeconds('-T', files.large, await target.uploadUrl())
    }
  })
  const { size } = statSync(files.large)
  return [
    throughput(bench, 'publish', size, took.ours, took.curl, 'curl -T to the upload address'),
    ...rowsOf(bench, 'publish', costs)
  ]
}

async function pulling(bench: Bench, registry: Registry, files: Files): Promise<Row[]> {
  const add = async (size: keyof Files) => {
    const box = await registry.addBox(size)
    await curlSeconds('-T', files[size], await box.uploadUrl())
    await box.release()
    return box
  }
  const { downloadUrl } = await add('large')
  await add('small')
  const copy = join(bench.folder('copy'), 'copy.box')
  const costs: Costs = { large: [], small: [] }
  const wanted = (box: keyof Files): Wanted => ({
    ...{ direction: 'pull', organization: registry.owner, box, version: '1.0.0' }
  })
  const took = await byTurns(bench.rounds, {
    ours: async () => {
      const near = await folderWithRemote(bench, registry)
      const took = await transferCosts(near, [wanted('small'), wanted('large')], environment(registry))
      rmSync(near, { recursive: true, force: true })
      return noted(costs, took)
    },
    curl: async () => {
      rmSync(copy, { force: true })
      return curlSeconds('-o', copy, downloadUrl)
    },
    // What a pull ends with: bytes that were checked, and that a power cut does not take away.
    checked: async () => {
      rmSync(copy, { force: true })
      const loading = await curlSeconds('-o', copy, downloadUrl)
      return loading + (await seconds('openssl', ['dgst', '-sha256', copy])) + (await seconds('sync', [copy]))
    }
  })
  const { size } = statSync(files.large)
  return [
    throughput(bench, 'pull', size, took.ours, took.curl, 'curl -o to the same disk'),
    throughput(bench, 'pull', size, took.ours, took.checked, 'curl -o, openssl dgst and sync'),
    ...rowsOf(bench, 'pull', costs)
  ]
}

async function folderWithRemote(bench: Bench, { url, token, owner }: Registry): Promise<string> {
  const near = bench.folder('near')
  await boxyard(['user', 'add', owner, '--data', near])
  await boxyard(['org', 'add', owner, '--owner', owner, '--data', near])
  await boxyard(['remote', 'add', url, '--name', 'Far', '--data', near], { env: { [tokenVariable]: token } })
  return near
}

const environment = ({ token }: Registry): NodeJS.ProcessEnv => ({ [tokenVariable]: token })

/** The seconds of the large one, which comes after the small one in the same program. */
function noted(costs: Costs, [small, large]: readonly LookCost[]): number {
  if (!small || !large) throw new Error('Two transfers were to be measured.')
  costs.small.push(small)
  costs.large.push(large)
  return large.ms / 1000
}

function throughput(
  bench: Bench,
  what: string,
  size: number,
  ours: readonly number[],
  theirs: readonly number[],
  against: string
): Row {
  const [us, them] = [median(ours), median(theirs)]
  return {
    what: `${what} of 2 GiB to a Boxyard on this machine`,
    ours: mibPerSecond(size, us),
    against,
    theirs: mibPerSecond(size, them),
    figure: times(them / us),
    goal: `≥ ${times(0.8)} its throughput`,
    met: bench.quick ? null : them / us >= 0.8
  }
}

/** The first transfer of a program starts threads and loads code, of whatever size it is; what comes then is what one holds. */
function rowsOf(bench: Bench, what: string, { large, small }: Costs): Row[] {
  const growth = (costs: readonly LookCost[]): number => median(costs.map((cost) => cost.growth / mebibyte))
  const [ours, theirs] = [growth(large), growth(small)]
  const p99 = median(large.map(({ delay }) => delay.p99))
  return [
    {
      what: `memory of a ${what} of 2 GiB`,
      ours: `+${ours.toFixed(1)} MiB`,
      against: 'the first one, of a tenth',
      theirs: `+${theirs.toFixed(1)} MiB`,
      figure: `+${ours.toFixed(1)} MiB`,
      goal: '< 32 MiB',
      met: bench.quick ? null : ours < 32
    },
    {
      what: `event-loop delay during a ${what}, p99`,
      ours: milliseconds(p99),
      against: `p50 ${milliseconds(median(large.map(({ delay }) => delay.p50)))}`,
      theirs: `max ${milliseconds(Math.max(...large.map(({ delay }) => delay.max)))}`,
      figure: milliseconds(p99),
      goal: '< 20 ms',
      met: p99 < 20
    }
  ]
}
