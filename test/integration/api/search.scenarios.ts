import type { Scenario } from './scenario.ts'

const wrong = [
  ['limit=0', 'limit'],
  ['limit=-1', 'limit'],
  ['limit=ten', 'limit'],
  ['limit=1.5', 'limit'],
  ['limit=1e3', 'limit'],
  ['page=0', 'page'],
  ['page=x', 'page'],
  ['sort=stars', 'sort'],
  ['order=up', 'order'],
  ['q=a&q=b', 'q'],
  ['limit=5&limit=6', 'limit']
] as const
const tooLong = { characters: 'a'.repeat(1001), words: Array.from({ length: 65 }, (_, n) => n).join('+') }

export const search: readonly Scenario[] = [
  {
    name: 'rule 2: the answer holds nothing but boxes, and no box without a release',
    send: 'GET /api/:v/search?q=tiny',
    status: 200,
    json: { boxes: [{ tag: 'acme/tiny', current_version: { version: '1.0.0' } }] },
    has: ['{"boxes":[{"created_at":', '"providers":[{"name":"virtualbox"'],
    hasNot: ['"versions"', 'total', 'acme/empty']
  },
  {
    name: 'nothing found is an empty list',
    send: 'GET /api/:v/search?q=nothing-like-it',
    status: 200,
    json: { boxes: [] }
  },
  {
    name: 'without q the released boxes are listed',
    send: 'GET /api/:v/search',
    status: 200,
    has: ['"acme/tiny"', '"acme/linked"'],
    hasNot: ['"acme/empty"', '"acme/secret"']
  },
  {
    name: 'members find private boxes',
    send: 'GET /api/:v/search?q=secret',
    as: 'viewer',
    status: 200,
    has: ['"acme/secret"']
  },
  {
    name: 'rule 10: a wrong token still finds what is public',
    send: 'GET /api/:v/search?q=acme',
    as: 'wrong token',
    status: 200,
    has: ['"acme/tiny"'],
    hasNot: ['acme/secret']
  },
  {
    name: 'parameters without a value are not given',
    send: 'GET /api/:v/search?q=&provider=&architecture=&sort=&order=&limit=&page',
    status: 200,
    has: ['"acme/tiny"']
  },
  {
    name: 'a limit above 100 is 100',
    send: 'GET /api/:v/search?limit=5000',
    status: 200,
    has: ['"acme/tiny"']
  },
  {
    name: 'a page past the end is empty',
    send: 'GET /api/:v/search?page=99',
    status: 200,
    json: { boxes: [] }
  },
  {
    name: 'the limit and the page choose, in order',
    steps: [
      {
        send: 'GET /api/:v/search?sort=created&order=asc&limit=1',
        status: 200,
        has: ['acme/tiny'],
        hasNot: ['acme/linked']
      },
      {
        send: 'GET /api/:v/search?sort=created&order=asc&limit=1&page=2',
        status: 200,
        has: ['acme/linked'],
        hasNot: ['acme/tiny']
      }
    ]
  },
  {
    name: 'a provider nobody has is not found',
    send: 'GET /api/:v/search?provider=vmware',
    status: 200,
    json: { boxes: [] }
  },
  {
    name: 'both spellings of the architecture parameter filter',
    in: 'v2',
    steps: [
      {
        send: 'GET /api/v2/search?architecture=arm64',
        status: 200,
        has: ['acme/tiny'],
        hasNot: ['acme/linked']
      },
      {
        send: 'GET /api/v2/search?architcture=arm64',
        status: 200,
        has: ['acme/tiny'],
        hasNot: ['acme/linked']
      }
    ]
  },
  {
    name: 'v1 has no filter for architectures, and shows none',
    in: 'v1',
    send: 'GET /api/v1/search?architecture=mips',
    status: 200,
    has: ['acme/tiny'],
    hasNot: ['architecture', 'arm64']
  },
  {
    name: 'rule 3: v2 shows architectures in what it finds',
    in: 'v2',
    send: 'GET /api/v2/search?q=tiny',
    status: 200,
    has: ['"architecture":"arm64","default_architecture":false']
  },
  ...Object.entries(tooLong).map(([what, q]): Scenario => ({
    name: `more ${what} than anybody types are refused`,
    send: `GET /api/:v/search?q=${q}`,
    status: 422,
    has: ['A search may have 1000 characters and 64 different words at most; use fewer.']
  })),
  ...wrong.map(([query, parameter]): Scenario => ({
    name: `${query} is refused, naming the parameter`,
    send: `GET /api/:v/search?${query}`,
    status: 422,
    has: [`The parameter ${parameter} `]
  })),
  {
    name: 'every wrong parameter is one sentence',
    send: 'GET /api/:v/search?limit=x&sort=y',
    status: 422,
    json: {
      errors: [
        'The parameter sort must be one of downloads, created, updated.',
        'The parameter limit must be a whole number from 1 on.'
      ]
    }
  }
]
