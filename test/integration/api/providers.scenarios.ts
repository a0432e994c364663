import type { Scenario } from './scenario.ts'

const version = '/api/:v/box/acme/tiny/version/1.0.0'
const unreleased = '/api/:v/box/acme/tiny/version/1.1.0'
const elsewhere = 'http://elsewhere.example/x.box'

export const providers: readonly Scenario[] = [
  {
    name: 'a provider is read with its checksum and addresses',
    send: `GET ${version}/provider/virtualbox:arch`,
    status: 200,
    json: { name: 'virtualbox', hosted: true, original_url: null, checksum_type: 'sha256' },
    has: [
      '"hosted_token":"',
      '"checksum":"',
      '"download_url":"{base}/acme/boxes/tiny/',
      '"created_at":',
      '"updated_at":'
    ]
  },
  {
    name: 'v1 names the default, without architecture keys',
    in: 'v1',
    send: `GET ${version}/provider/virtualbox`,
    status: 200,
    hasNot: ['architecture', 'amd64']
  },
  {
    name: 'v2 names one architecture',
    in: 'v2',
    send: `GET ${version}/provider/virtualbox/arm64`,
    status: 200,
    json: { architecture: 'arm64', default_architecture: false }
  },
  {
    name: 'v2 without an architecture segment means the default',
    in: 'v2',
    send: `GET ${version}/provider/virtualbox`,
    status: 200,
    json: { architecture: 'amd64', default_architecture: true }
  },
  {
    name: 'an architecture that is not there is a 404',
    in: 'v2',
    send: `GET ${version}/provider/virtualbox/mips`,
    status: 404
  },
  { name: 'a provider that is not there is a 404', send: `GET ${version}/provider/none:arch`, status: 404 },
  {
    name: 'one file elsewhere is not hosted',
    send: 'GET /api/:v/box/acme/linked/version/1.0.0/provider/virtualbox:arch',
    status: 200,
    json: {
      hosted: false,
      hosted_token: null,
      original_url: 'http://elsewhere.example/linked.box',
      checksum: null,
      checksum_type: null
    }
  },
  {
    name: 'a bare name creates a provider, of an unknown architecture and the default',
    in: 'v2',
    send: `POST ${unreleased}/providers`,
    as: 'contributor',
    body: { provider: { name: 'libvirt' } },
    status: 200,
    json: {
      name: 'libvirt',
      architecture: 'unknown',
      default_architecture: true,
      hosted: true,
      checksum: null
    }
  },
  {
    name: 'all fields given are answered',
    in: 'v2',
    send: `POST ${unreleased}/providers`,
    as: 'owner',
    body: {
      provider: {
        name: 'libvirt',
        url: elsewhere,
        checksum: 'a'.repeat(64),
        checksum_type: 'sha256',
        architecture: 'riscv64',
        default_architecture: false
      }
    },
    status: 200,
    json: {
      architecture: 'riscv64',
      default_architecture: true,
      hosted: false,
      original_url: elsewhere,
      checksum: 'a'.repeat(64),
      checksum_type: 'sha256'
    }
  },
  {
    name: 'v1 ignores what it does not know',
    in: 'v1',
    steps: [
      {
        send: `POST ${unreleased}/providers`,
        as: 'owner',
        body: { provider: { name: 'libvirt', architecture: 'arm64' } },
        status: 200,
        hasNot: ['arm64', 'architecture']
      },
      {
        send: 'GET /api/v2/box/acme/tiny/version/1.1.0/provider/libvirt',
        as: 'owner',
        status: 200,
        json: { architecture: 'unknown' }
      }
    ]
  },
  {
    name: 'the same name and architecture again is refused in the words clients know',
    in: 'v2',
    send: `POST ${version}/providers`,
    as: 'owner',
    body: { provider: { name: 'virtualbox', architecture: 'amd64' } },
    status: 422,
    json: { errors: ['Metadata provider must be unique for version'] }
  },
  {
    name: 'v1 cannot add a second one of a name, which it could not tell from the first',
    in: 'v1',
    send: `POST ${version}/providers`,
    as: 'owner',
    body: { provider: { name: 'virtualbox' } },
    status: 422,
    json: { errors: ['Metadata provider must be unique for version'] }
  },
  {
    name: 'a second architecture is added beside the default',
    in: 'v2',
    send: `POST ${version}/providers`,
    as: 'owner',
    body: { provider: { name: 'virtualbox', architecture: 'ppc64le' } },
    status: 200,
    json: { architecture: 'ppc64le', default_architecture: false }
  },
  {
    name: 'a form creates a provider',
    send: `POST ${unreleased}/providers`,
    as: 'owner',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `provider[name]=libvirt&provider[url]=${encodeURIComponent(elsewhere)}`,
    status: 200,
    json: { name: 'libvirt', original_url: elsewhere }
  },
  {
    name: 'a body without its wrapper says which is missing',
    send: `POST ${unreleased}/providers`,
    as: 'owner',
    body: { name: 'libvirt' },
    status: 422,
    json: { errors: ['provider parameter is required!'] }
  },
  {
    name: 'every wrong field is one sentence',
    send: `POST ${unreleased}/providers`,
    as: 'owner',
    body: { provider: { name: 7, url: {}, default_architecture: [] } },
    status: 422,
    json: {
      errors: [
        'The name of a provider must be text.',
        'The url of a provider must be text.',
        'The default_architecture of a provider must be true or false.'
      ]
    }
  },
  {
    name: 'a checksum of an unknown type is refused',
    send: `POST ${unreleased}/providers`,
    as: 'owner',
    body: { provider: { name: 'libvirt', checksum: 'x', checksum_type: 'crc32' } },
    status: 422
  },
  {
    name: 'rule 5: an update of nulls changes nothing',
    send: `PUT ${version}/provider/virtualbox:arch`,
    as: 'owner',
    body: { provider: { name: 'virtualbox', url: null, checksum: null, checksum_type: null } },
    status: 200,
    json: { name: 'virtualbox', hosted: true, checksum_type: 'sha256' }
  },
  {
    name: 'another default moves the default',
    in: 'v2',
    steps: [
      {
        send: `PUT ${version}/provider/virtualbox/arm64`,
        as: 'owner',
        body: { provider: { default_architecture: true } },
        status: 200,
        json: { architecture: 'arm64', default_architecture: true }
      },
      {
        send: `GET ${version}/provider/virtualbox/amd64`,
        status: 200,
        json: { default_architecture: false }
      }
    ]
  },
  {
    name: 'an architecture is renamed, and answered under its new name',
    in: 'v2',
    send: `PUT ${version}/provider/virtualbox/arm64`,
    as: 'owner',
    body: { provider: { architecture: 's390x' } },
    status: 200,
    json: { architecture: 's390x' },
    has: ['/virtualbox/s390x/vagrant.box']
  },
  {
    name: 'deleting the default promotes another',
    steps: [
      {
        send: `DELETE ${version}/provider/virtualbox:arch`,
        as: 'owner',
        status: 200,
        json: { name: 'virtualbox' }
      },
      {
        send: 'GET /api/v2/box/acme/tiny/version/1.0.0/provider/virtualbox',
        status: 200,
        json: { architecture: 'arm64', default_architecture: true }
      }
    ]
  },
  {
    name: 'v2 deletes the default without an architecture segment',
    in: 'v2',
    send: `DELETE ${version}/provider/virtualbox`,
    as: 'owner',
    status: 200,
    json: { architecture: 'amd64' }
  },
  { name: 'deleting needs a token', send: `DELETE ${version}/provider/virtualbox:arch`, status: 401 },
  {
    name: 'a viewer may not delete',
    send: `DELETE ${version}/provider/virtualbox:arch`,
    as: 'viewer',
    status: 403
  }
]
