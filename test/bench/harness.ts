import { randomFillSync } from 'node:crypto'
import { closeSync, createWriteStream, mkdirSync, openSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'
import { boxyard } from '../support/product.ts'
import type { Need } from '../support/system-packages.ts'

/** One line of the table: a figure of ours, what it is held against, and whether the goal is met. */
export interface Row {
  readonly what: string
  readonly ours: string
  readonly against: string
  readonly theirs: string
  /** The figure the goal speaks about. */
  readonly figure: string
  /** Null: the figure is only good to know. */
  readonly goal: string | null
  /** Null: there is no goal, or the run was too small to tell. */
  readonly met: boolean | null
}

/** A thing that can be measured: rows of the table that share their preparation. */
export interface Benchmark {
  readonly name: string
  readonly needs: readonly Need[]
  run(bench: Bench): Promise<Row[]>
}

const mebibyte = 1024 * 1024

/** What one run of the benchmarks shares: its scratch folder, its sizes, and files and catalogues that cost time to make. */
export class Bench {
  readonly dir: string
  readonly rounds: number
  readonly quick: boolean
  private readonly made = new Map<string, Promise<string>>()
  private folders = 0

  constructor(dir: string, rounds: number, quick: boolean) {
    this.dir = dir
    this.rounds = rounds
    this.quick = quick
  }

  /** The size the goals speak about, in bytes: 1 GiB, or little when only the benchmark itself is tried out. */
  get large(): number {
    return (this.quick ? 64 : 1024) * mebibyte
  }

  /** How many boxes a quick run makes do with instead. */
  boxes(count: number): number {
    return this.quick ? Math.ceil(count / 100) : count
  }

  /** A new empty folder. */
  folder(name: string): string {
    const path = join(this.dir, `${name}-${++this.folders}`)
    mkdirSync(path, { recursive: true })
    return path
  }

  /** A box as vagrant packs it, around a disk image that does not compress. */
  boxFile(size: number): Promise<string> {
    return this.once(`box-${size}`, (path) => writeBox(path, size))
  }

  /** A data folder with that many made-up boxes. */
  catalogue(boxes: number): Promise<string> {
    return this.once(`catalogue-${boxes}`, async (path) => {
      await boxyard(['demo', '--boxes', String(boxes), '--data', path])
    })
  }

  private once(name: string, make: (path: string) => Promise<void>): Promise<string> {
    const path = join(this.dir, name)
    const making = this.made.get(name) ?? make(path).then(() => path)
    this.made.set(name, making)
    return making
  }
}

/** Runs the contenders by turns, so that whatever else the machine does meets them all; the first round only warms up. */
export async function byTurns<Name extends string>(
  rounds: number,
  contenders: Record<Name, () => Promise<number>>
): Promise<Record<Name, number[]>> {
  const names = Object.keys(contenders) as Name[]
  const samples = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  for (let round = 0; round <= rounds; round++) {
    for (const name of names) {
      const sample = await contenders[name]()
      if (round > 0) samples[name].push(sample)
    }
  }
  return samples
}

export function median(samples: readonly number[]): number {
  const sorted = [...samples].sort((a, b) => a - b)
  const middle = sorted.length / 2
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]]
  if (low === undefined || high === undefined) throw new Error('There is no median of nothing.')
  return (low + high) / 2
}

export const mibPerSecond = (size: number, seconds: number): string =>
  `${Math.round(size / mebibyte / seconds)} MiB/s`
export const times = (ratio: number): string => `${ratio.toFixed(2)} ×`
export const milliseconds = (ms: number): string => `${ms.toFixed(ms < 10 ? 2 : 1)} ms`

/** Makes the bytes of a box file new, so that a store which keeps equal bytes once has to keep them again. */
export function makeDifferent(path: string): void {
  const file = openSync(path, 'r+')
  try {
    // Inside the disk image: half way, where neither the archive's headers nor its end are.
    writeSync(file, randomFillSync(Buffer.alloc(32)), 0, 32, Math.floor(statSync(path).size / 2))
  } finally {
    closeSync(file)
  }
}

async function writeBox(path: string, size: number): Promise<void> {
  const archive = pack()
  const written = pipeline(archive, createGzip({ level: 0 }), createWriteStream(path))
  archive.entry(
    { name: 'metadata.json' },
    JSON.stringify({ provider: 'libvirt', architecture: 'amd64', format: 'qcow2' })
  )
  archive.entry({ name: 'Vagrantfile' }, 'Vagrant.configure("2") { |config| }\n')
  const chunk = randomFillSync(Buffer.allocUnsafe(mebibyte))
  const image = archive.entry({ name: 'box.img', size })
  const chunks = function* () {
    for (let left = size; left > 0; left -= chunk.length) {
      chunk.writeUInt32LE(left / 16, 0)
      yield Buffer.from(chunk.subarray(0, Math.min(chunk.length, left)))
    }
  }
  await pipeline(Readable.from(chunks()), image)
  archive.finalize()
  await written
}
