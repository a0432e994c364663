import type { Scenario } from './scenario.ts'

const unknownRoutes = [
  'GET /nothing',
  'GET /api/:v/nothing',
  'POST /api/:v/search',
  'PATCH /api/:v/box/acme/tiny',
  'OPTIONS /api/:v/boxes',
  'PROPFIND /api/:v/boxes',
  'GET /api/v3/box/acme/tiny',
  'DELETE /acme/tiny',
  'GET /api/:v/box/acme',
  'GET /api/:v/box/acme/tiny/version/1.0.0/provider/virtualbox/amd64/upload/direct/x/y'
]

export const http: readonly Scenario[] = [
  ...unknownRoutes.map((send): Scenario => ({ name: `${send} is a 404 in JSON`, send, status: 404 })),
  ...['GET /api/:v/box/acme/%zz', 'GET /%', 'GET /api/:v/box/acme/a%00b', 'GET /acme/%C0%80'].map(
    (send): Scenario => ({ name: `${send} is a 400 in JSON`, send, status: 400 })
  ),
  {
    name: 'a name that steps out of its place is just not found',
    send: 'GET /api/:v/box/acme/..%2F..%2Fetc',
    status: 404
  },
  {
    name: 'every answer says how the client stands with its rate',
    send: 'GET /api/:v/authenticate',
    status: 401,
    answers: {
      'x-ratelimit-limit': '6000',
      'x-ratelimit-remaining': /^5\d{3}$/,
      'x-ratelimit-reset': /^\d{10}$/,
      'x-content-type-options': 'nosniff',
      'content-security-policy': /default-src 'none'/,
      'cache-control': 'no-store',
      'access-control-allow-origin': null
    }
  },
  {
    name: 'so do answers to addresses that are none',
    send: 'GET /%zz',
    status: 400,
    answers: { 'x-ratelimit-limit': '6000', 'x-content-type-options': 'nosniff' }
  },
  { name: 'a doubled slash is one', send: 'GET //api//:v///box//acme/tiny', status: 200 },
  { name: 'a slash at the end is ignored', send: 'GET /api/:v/box/acme/tiny/', status: 200 },
  { name: 'localhost is this server', send: 'GET /acme/tiny', headers: { host: 'localhost:1' }, status: 200 },
  { name: '[::1] is this server', send: 'GET /acme/tiny', headers: { host: '[::1]' }, status: 200 },
  {
    name: 'another Host is a 421, which names nothing',
    send: 'GET /acme/tiny',
    headers: { host: 'evil.example' },
    status: 421,
    hasNot: ['evil', 'tiny']
  },
  {
    name: 'another Host is a 421 for bad addresses too',
    send: 'GET /%zz',
    headers: { host: 'evil.example' },
    status: 421
  },
  {
    name: 'a Host that only begins right is a 421',
    send: 'GET /',
    headers: { host: 'localhost.evil.example' },
    status: 421
  },
  {
    name: 'the page of another site is a 403',
    send: 'GET /api/:v/authenticate',
    as: 'owner',
    headers: { origin: 'http://evil.example' },
    status: 403
  },
  { name: 'a page of no site is a 403', send: 'GET /acme/tiny', headers: { origin: 'null' }, status: 403 },
  {
    name: 'the page of another port of this machine is a 403',
    send: 'GET /acme/tiny',
    headers: { origin: 'http://127.0.0.1:1' },
    status: 403
  },
  {
    name: 'a page of this server is answered',
    send: 'GET /acme/tiny',
    headers: { origin: 'http://{host}' },
    status: 200
  },
  {
    name: 'JSON that is none is a 400',
    send: 'POST /api/:v/boxes',
    as: 'owner',
    headers: { 'content-type': 'application/json' },
    body: '{"box":',
    status: 400,
    json: { errors: ['The body is not valid JSON.'] }
  },
  {
    name: 'a body of another type is a 400',
    send: 'POST /api/:v/boxes',
    as: 'owner',
    headers: { 'content-type': 'text/xml' },
    body: '<box/>',
    status: 400
  },
  {
    name: 'a long description is taken',
    send: 'PUT /api/:v/box/acme/tiny',
    as: 'owner',
    body: { box: { description: 'x'.repeat(250_000) } },
    status: 200
  },
  {
    name: 'a body that is too large is a 413',
    send: 'PUT /api/:v/box/acme/tiny',
    as: 'owner',
    headers: { 'content-type': 'application/json' },
    body: `{"box":{"description":"${'x'.repeat(3_000_000)}"}}`,
    status: 413,
    has: ['bytes']
  },
  {
    name: 'a body that grows too large in chunks is a 413',
    send: 'PUT /api/:v/box/acme/tiny',
    as: 'owner',
    headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
    body: 'x'.repeat(3_000_000),
    status: 413
  },
  {
    name: 'an address that is too long is a 414',
    send: `GET /api/:v/search?q=${'x'.repeat(9000)}`,
    status: 414
  },
  {
    name: 'the start page tells a person how to use this server',
    send: 'GET /',
    headers: { accept: 'text/html,application/xhtml+xml', host: 'localhost:7575' },
    status: 200,
    has: ['export VAGRANT_SERVER_URL=http://localhost:7575', 'vagrant cloud auth login', 'vagrant box add'],
    answers: { 'content-type': 'text/html; charset=utf-8' }
  },
  {
    name: 'and a program what it talks to',
    send: 'GET /',
    status: 200,
    json: { name: 'Boxyard' },
    answers: { 'content-type': /^application\/json/ }
  }
]
