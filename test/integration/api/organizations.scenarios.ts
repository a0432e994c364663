import type { Scenario } from './scenario.ts'

export const organizations: readonly Scenario[] = [
  {
    name: 'rule 1: an organization lists its boxes, without their versions',
    send: 'GET /api/:v/user/acme',
    status: 200,
    json: {
      username: 'acme',
      avatar_url: '',
      profile_html: '',
      profile_markdown: '',
      boxes: [
        { tag: 'acme/empty', current_version: null },
        { tag: 'acme/linked', username: 'acme' },
        { tag: 'acme/tiny', current_version: { version: '1.0.0', status: 'active' } }
      ]
    },
    hasNot: ['"versions"', 'acme/secret', '1.1.0'],
    answers: { 'content-type': /^application\/json/ }
  },
  {
    name: 'members see its private boxes too',
    send: 'GET /api/:v/user/acme',
    as: 'viewer',
    status: 200,
    has: ['"acme/secret"', '"acme/tiny"']
  },
  {
    name: 'of each only its name and its last change is told to those who ask for no more',
    send: 'GET /api/:v/user/acme?boxes=stamps',
    as: 'viewer',
    status: 200,
    json: {
      username: 'acme',
      boxes: [{ name: 'empty' }, { name: 'linked' }, { name: 'secret' }, { name: 'tiny' }]
    },
    has: ['"updated_at":"20'],
    hasNot: ['current_version', 'short_description', '"tag"']
  },
  {
    name: 'and of those alone that they may see',
    send: 'GET /api/:v/user/acme?boxes=stamps',
    as: 'stranger',
    status: 200,
    has: ['"tiny"'],
    hasNot: ['secret']
  },
  {
    name: 'strangers do not',
    send: 'GET /api/:v/user/acme',
    as: 'stranger',
    status: 200,
    hasNot: ['acme/secret']
  },
  {
    name: 'rule 10: a wrong token takes nothing public away',
    send: 'GET /api/:v/user/acme',
    as: 'wrong token',
    status: 200,
    has: ['"acme/tiny"'],
    hasNot: ['acme/secret']
  },
  {
    name: 'one without boxes has an empty list',
    send: 'GET /api/:v/user/strangers',
    status: 200,
    json: { username: 'strangers', boxes: [] }
  },
  {
    name: 'one that is not there is a 404',
    send: 'GET /api/:v/user/nobody',
    status: 404,
    has: ['Resource not found!']
  },
  {
    name: 'its name is found in any case and shown as written',
    send: 'GET /api/:v/user/ACME',
    status: 200,
    json: { username: 'acme' }
  },
  {
    name: 'an unchanged listing is a 304, until something changes in it',
    steps: [
      {
        send: 'GET /api/:v/user/acme',
        status: 200,
        answers: { etag: /^"/, 'cache-control': 'private, no-cache' }
      },
      { send: 'GET /api/:v/user/acme', headers: { 'if-none-match': '*' }, status: 304 },
      { send: 'GET /api/:v/user/acme', headers: { 'if-none-match': '"other"' }, status: 200 }
    ]
  },
  { name: 'HEAD has no body', send: 'HEAD /api/:v/user/acme', status: 200, answers: { etag: /^"/ } },
  {
    name: 'v1 knows no architectures',
    in: 'v1',
    send: 'GET /api/v1/user/acme',
    as: 'owner',
    status: 200,
    hasNot: ['architecture', 'amd64', '/api/v2']
  },
  {
    name: 'rule 3: architectures are in every provider',
    in: 'v2',
    send: 'GET /api/v2/user/acme',
    status: 200,
    has: [
      '"architecture":"amd64","default_architecture":true',
      '"architecture":"arm64","default_architecture":false'
    ]
  }
]
