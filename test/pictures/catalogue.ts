import { rmSync } from 'node:fs'
import { createApp } from '../../src-main/app.ts'
import { operator } from '../../src-main/domain/model.ts'
import { silentLog } from '../../src-main/log.ts'
import { listingTable } from '../../src-main/store/listings.ts'
import { downloadTable } from '../../src-main/store/downloads.ts'
import { Random } from '../../src-main/catalog/random.ts'
import { writeBoxFile } from '../support/e2e/box-file.ts'

const megabyte = 1_000_000
const day = 86_400_000

interface Sample {
  readonly tag: string
  readonly about: string
  readonly versions: readonly string[]
  readonly images: readonly (readonly [provider: string, architecture: string])[]
  /** Of each image, in megabytes. */
  readonly size: number
  /** A day, on average. */
  readonly downloads: number
  readonly public?: boolean
}

const x86 = [['virtualbox', 'amd64']] as const
const both = [...x86, ['libvirt', 'amd64']] as const
const all = [...both, ['libvirt', 'arm64'], ['vmware_desktop', 'amd64']] as const

/** What a team of some years would have. */
const samples: readonly Sample[] = [
  {
    tag: 'acme/base',
    about: 'Debian 12, what every other box here begins with',
    versions: ['1.0.0', '1.1.0', '1.2.0', '1.3.0', '2.0.0', '2.1.0', '2.2.0-rc1'],
    images: all,
    size: 9,
    downloads: 21,
    public: true
  },
  {
    tag: 'acme/build-agent',
    about: 'Compilers, caches and a runner, for the builds',
    versions: ['3.1.0', '3.2.0', '3.3.0'],
    images: both,
    size: 14,
    downloads: 34
  },
  {
    tag: 'acme/kubernetes-node',
    about: 'A node that joins the lab cluster by itself',
    versions: ['1.30.2', '1.31.0'],
    images: both,
    size: 11,
    downloads: 12,
    public: true
  },
  {
    tag: 'acme/windows-2025',
    about: 'Windows Server with WinRM and updates to October',
    versions: ['2025.9.1', '2025.10.1'],
    images: x86,
    size: 42,
    downloads: 5
  },
  {
    tag: 'acme/postgres-17',
    about: 'PostgreSQL 17 with replication ready to switch on',
    versions: ['17.0.1', '17.2.0'],
    images: both,
    size: 8,
    downloads: 9,
    public: true
  },
  {
    tag: 'lab/router',
    about: 'Two networks, a firewall and DHCP in between',
    versions: ['0.4.0', '0.5.0', '0.5.1'],
    images: x86,
    size: 3,
    downloads: 4,
    public: true
  },
  {
    tag: 'lab/attacker',
    about: 'Kali with the tools the exercises need',
    versions: ['2025.2.0', '2025.3.0'],
    images: both,
    size: 19,
    downloads: 7
  },
  {
    tag: 'lab/victim',
    about: 'Old on purpose: never let it out of the lab',
    versions: ['1.0.0'],
    images: x86,
    size: 6,
    downloads: 7
  },
  {
    tag: 'teaching/intro-linux',
    about: 'What the first course starts with',
    versions: ['2023.1.0', '2024.1.0', '2025.1.0'],
    images: both,
    size: 7,
    downloads: 48,
    public: true
  },
  {
    tag: 'teaching/databases',
    about: 'MariaDB, PostgreSQL and SQLite with sample data',
    versions: ['2024.2.0', '2025.1.0'],
    images: x86,
    size: 10,
    downloads: 17,
    public: true
  },
  {
    tag: 'teaching/networks',
    about: 'Mininet and Wireshark, with the exercises',
    versions: ['2025.1.0'],
    images: [...x86, ['libvirt', 'arm64']],
    size: 5,
    downloads: 13,
    public: true
  }
]

const description = `# Base

Debian 12 with the packages every other box here begins with.

- unattended upgrades, switched **off** while a machine is provisioned
- \`chrony\`, \`tmux\`, \`jq\`
- one network interface, DHCP

See the [notes](https://example.com/notes) for what changed and why.
`

/** Makes a data folder that looks lived in. */
export async function makeCatalogue(dataDir: string, scratch: string): Promise<void> {
  const app = await createApp({ dataDir, log: silentLog })
  const random = new Random(5)
  try {
    const { accounts, boxes, versions, importer, tokens, db } = app
    accounts.ensureOwner('acme')
    await accounts.addUser('rosa', 'rosa@example.com', 'correct horse')
    await accounts.addUser('tomas', 'tomas@example.com')
    for (const name of ['lab', 'teaching']) accounts.addOrganization(name, 'acme')
    accounts.setMember('teaching', 'rosa', 'admin')
    accounts.setMember('lab', 'tomas', 'contributor')
    tokens.issue(accounts.owner()?.id ?? 0, 'the build server')
    tokens.issue(accounts.findUser('rosa')?.id ?? 0, "Rosa's laptop")
    for (const sample of samples) {
      const [organization = '', name = ''] = sample.tag.split('/')
      for (const version of sample.versions)
        for (const [provider, architecture] of sample.images) {
          const size = Math.round(sample.size * megabyte * (0.8 + random.next() * 0.4))
          const file = writeBoxFile(scratch, { provider, architecture, size, name: 'sample.box' })
          await importer.importFile(file, { organization, name, version, public: sample.public })
          rmSync(file)
        }
      for (const version of sample.versions.filter((version) => !version.includes('rc')))
        versions.release(operator, organization, name, version)
      boxes.update(operator, organization, name, { shortDescription: sample.about })
      spreadInTime(sample)
    }
    boxes.update(operator, 'acme', 'base', { description })
    versions.revoke(operator, 'acme', 'base', '1.1.0')
    listingTable(db).rebuildAll()

    /** As if the versions had come one after the other, and people had downloaded them ever since. */
    function spreadInTime(sample: Sample): void {
      const [organization = '', name = ''] = sample.tag.split('/')
      const box = boxes.read(operator, organization, name)
      const now = Date.now()
      const age = (sample.versions.length * 45 + 20 * random.next()) * day
      const setTime = db.prepare('UPDATE versions SET created_at = ?, updated_at = ? WHERE id = ?')
      box.versions.toReversed().forEach(({ id }, i) => {
        const at = Math.round(now - age + (age * (i + 0.1 + 0.6 * random.next())) / sample.versions.length)
        setTime.run(at, at, id)
      })
      db.prepare('UPDATE boxes SET created_at = ? WHERE id = ?').run(Math.round(now - age), box.id)
      const table = downloadTable(db)
      for (let ago = 364; ago >= 0; ago--) {
        const at = now - ago * day
        if (at < now - age) continue
        const weekend = [0, 6].includes(new Date(at).getUTCDay()) ? 0.3 : 1
        const times = Math.round(sample.downloads * weekend * (0.4 + random.next() * 1.2))
        for (let i = 0; i < times; i++) table.count(box.id, at)
      }
      // What search knows follows from the rows, and is made again from them.
      db.prepare('UPDATE boxes SET updated_at = ? WHERE id = ?').run(
        Math.round(now - random.next() * 30 * day),
        box.id
      )
    }
  } finally {
    await app.close()
  }
}
