import type { Scenario } from './scenario.ts'

const old = {
  'user-agent': 'Vagrant/2.3.4 (+https://www.vagrantup.com; ruby3.1.2)',
  accept: 'application/json'
}
const current = {
  'user-agent': 'Vagrant/2.4.10 (+https://www.vagrantup.com; ruby3.1.2)',
  accept: 'application/json'
}
const json = /^application\/json/

/** These paths belong to no version of the API, so one run is enough. */
const scenarios: readonly Scenario[] = [
  {
    name: 'rule 8: HEAD and GET of the document at /:user/:name',
    steps: [
      { send: 'HEAD /acme/tiny', headers: current, status: 200, answers: { 'content-type': json } },
      {
        send: 'GET /acme/tiny',
        headers: current,
        status: 200,
        answers: { 'content-type': json, 'cache-control': 'private, no-cache' },
        json: {
          name: 'acme/tiny',
          description: 'Long *tiny*',
          short_description: 'a tiny box',
          versions: [
            {
              version: '1.0.0',
              status: 'active',
              description_markdown: 'about 1.0.0',
              providers: [
                { name: 'virtualbox', architecture: 'arm64', default_architecture: false },
                {
                  name: 'virtualbox',
                  url: '{base}/acme/boxes/tiny/versions/1.0.0/providers/virtualbox/amd64/vagrant.box',
                  checksum_type: 'sha256',
                  architecture: 'amd64',
                  default_architecture: true
                }
              ]
            }
          ]
        }
      }
    ]
  },
  {
    name: 'rule 8: HEAD and GET of the document at /api/v2/vagrant/:user/:name',
    steps: [
      {
        send: 'HEAD /api/v2/vagrant/acme/tiny',
        headers: current,
        status: 200,
        answers: { 'content-type': json }
      },
      { send: 'GET /api/v2/vagrant/acme/tiny', headers: current, status: 200, has: ['arm64', 'amd64'] }
    ]
  },
  {
    name: 'rule 9: only released versions are in it',
    send: 'GET /acme/tiny',
    as: 'owner',
    status: 200,
    hasNot: ['1.1.0', '0.9.0']
  },
  {
    name: 'Vagrant before 2.4.0 gets one entry a provider, the default',
    send: 'GET /acme/tiny',
    headers: old,
    status: 200,
    has: ['amd64'],
    hasNot: ['arm64']
  },
  {
    name: 'so does a client that does not say what it is',
    send: 'GET /acme/tiny',
    status: 200,
    hasNot: ['arm64']
  },
  {
    name: 'a released version none of whose files can be had is left out',
    steps: [
      {
        send: 'DELETE /api/v2/box/acme/linked/version/1.0.0/provider/virtualbox',
        as: 'owner',
        status: 200
      },
      { send: 'GET /acme/linked', status: 200, json: { name: 'acme/linked', versions: [] } }
    ]
  },
  {
    name: 'a provider without a file is left out',
    steps: [
      {
        send: 'POST /api/v2/box/acme/tiny/version/1.0.0/providers',
        as: 'owner',
        body: { provider: { name: 'hyperv' } },
        status: 200
      },
      { send: 'GET /acme/tiny', status: 200, has: ['virtualbox'], hasNot: ['hyperv'] }
    ]
  },
  {
    name: 'a file elsewhere is downloaded through this server',
    send: 'GET /acme/linked',
    status: 200,
    has: ['{base}/acme/boxes/linked/']
  },
  { name: 'a private box is a 404 without a token', send: 'GET /acme/secret', status: 404 },
  { name: 'a private box is a 404 for HEAD too', send: 'HEAD /api/v2/vagrant/acme/secret', status: 404 },
  { name: 'a private box is there for members', send: 'GET /acme/secret', as: 'viewer', status: 200 },
  { name: 'the token may be in the address', send: 'GET /acme/secret?access_token={token}', status: 200 },
  {
    name: 'rule 10: a wrong token takes nothing public away',
    send: 'GET /acme/tiny',
    as: 'wrong token',
    status: 200
  },
  { name: 'a doubled slash is one', send: 'GET //acme/tiny', status: 200, json: { name: 'acme/tiny' } },
  { name: 'a slash at the end is ignored', send: 'GET /acme/tiny/', status: 200 },
  {
    name: 'a base path asked twice is a 404',
    send: 'GET /api/v2/vagrant/api/v2/vagrant/acme/tiny',
    status: 404
  },
  {
    name: 'a box that is not there is a 404',
    send: 'GET /acme/none',
    status: 404,
    has: ['Resource not found!']
  },
  {
    name: 'an unchanged document is a 304',
    send: 'GET /acme/tiny',
    headers: { 'if-none-match': '*' },
    status: 304
  },
  {
    name: 'addresses are of the host asked',
    send: 'GET /acme/tiny',
    headers: { host: 'localhost:7575' },
    status: 200,
    has: ['"http://localhost:7575/acme/boxes/tiny/'],
    hasNot: ['127.0.0.1']
  }
]

export const catalogue = scenarios.map((scenario): Scenario => ({ ...scenario, in: 'v2' }))
