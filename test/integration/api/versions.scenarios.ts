import type { Scenario } from './scenario.ts'

const tiny = '/api/:v/box/acme/tiny'

export const versions: readonly Scenario[] = [
  {
    name: 'a version is read with its providers',
    send: `GET ${tiny}/version/1.0.0`,
    status: 200,
    json: {
      version: '1.0.0',
      number: '1.0.0',
      status: 'active',
      description: 'about 1.0.0',
      description_markdown: 'about 1.0.0',
      release_url: '{base}/api/:v/box/acme/tiny/version/1.0.0/release',
      revoke_url: '{base}/api/:v/box/acme/tiny/version/1.0.0/revoke'
    },
    has: ['"created_at":', '"updated_at":', '"description_html":', '"providers":[{"name":"virtualbox"']
  },
  { name: 'an unreleased version is a 404 to anybody', send: `GET ${tiny}/version/1.1.0`, status: 404 },
  {
    name: 'an unreleased version is shown to members',
    send: `GET ${tiny}/version/1.1.0`,
    as: 'viewer',
    status: 200
  },
  {
    name: 'a revoked version is still read',
    send: `GET ${tiny}/version/0.9.0`,
    status: 200,
    json: { status: 'revoked' }
  },
  { name: 'one that is not there is a 404', send: `GET ${tiny}/version/7`, status: 404 },
  {
    name: 'a version is created unreleased and without providers',
    send: `POST ${tiny}/versions`,
    as: 'contributor',
    body: { version: { version: '2.0.0', description: null } },
    status: 200,
    json: { version: '2.0.0', number: '2.0.0', status: 'unreleased', providers: [], description_markdown: '' }
  },
  {
    name: 'a form creates a version',
    send: `POST ${tiny}/versions`,
    as: 'owner',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'version[version]=2.0.0&version[description]=*hey*',
    status: 200,
    json: { version: '2.0.0', description_markdown: '*hey*' },
    has: ['<em>hey</em>']
  },
  {
    name: 'a body without its wrapper says which is missing',
    send: `POST ${tiny}/versions`,
    as: 'owner',
    body: { version: '2.0.0' },
    status: 422,
    json: { errors: ['version parameter is required!'] }
  },
  {
    name: 'a number that is no text is refused with an example',
    send: `POST ${tiny}/versions`,
    as: 'owner',
    body: { version: { version: 1.0 } },
    status: 422,
    json: { errors: ['The version number (in quotes, as "1.0.0") must be text.'] }
  },
  {
    name: 'rule 9: a number that clients cannot parse is refused',
    send: `POST ${tiny}/versions`,
    as: 'owner',
    body: { version: { version: 'v1.0' } },
    status: 422
  },
  {
    name: 'a number equal to another is refused',
    send: `POST ${tiny}/versions`,
    as: 'owner',
    body: { version: { version: '1.0' } },
    status: 422,
    has: ['1.0.0']
  },
  {
    name: 'a version is updated; null leaves what there is',
    steps: [
      {
        send: `PUT ${tiny}/version/1.0.0`,
        as: 'owner',
        body: { version: { version: null, description: 'changed' } },
        status: 200,
        json: { version: '1.0.0', description: 'changed', status: 'active' }
      },
      {
        send: `PUT ${tiny}/version/1.0.0`,
        as: 'owner',
        body: { version: { version: '1.0.0', description: null } },
        status: 200,
        json: { description: 'changed' }
      }
    ]
  },
  {
    name: 'releasing needs a provider with a file',
    send: `PUT ${tiny}/version/1.1.0/release`,
    as: 'owner',
    headers: { 'content-type': 'application/json', 'content-length': '0' },
    status: 422
  },
  {
    name: 'releasing again says that it has already been released',
    send: `PUT ${tiny}/version/1.0.0/release`,
    as: 'owner',
    status: 422,
    has: ['already been released']
  },
  {
    name: 'a revoked version stays revoked',
    send: `PUT ${tiny}/version/0.9.0/release`,
    as: 'owner',
    status: 422
  },
  {
    name: 'a version with a url is released with an empty PUT, and then revoked',
    steps: [
      {
        send: `POST ${tiny}/version/1.1.0/providers`,
        as: 'owner',
        body: { provider: { name: 'libvirt', url: 'http://elsewhere.example/x.box' } },
        status: 200
      },
      {
        send: `PUT ${tiny}/version/1.1.0/release`,
        as: 'contributor',
        headers: { 'content-type': 'application/json', 'content-length': '0' },
        status: 200,
        json: { status: 'active', version: '1.1.0' }
      },
      { send: 'GET /api/:v/box/acme/tiny', status: 200, json: { current_version: { version: '1.1.0' } } },
      { send: `PUT ${tiny}/version/1.1.0/revoke`, as: 'owner', status: 200, json: { status: 'revoked' } },
      { send: 'GET /api/:v/box/acme/tiny', status: 200, json: { current_version: { version: '1.0.0' } } }
    ]
  },
  {
    name: 'only a released version is revoked',
    send: `PUT ${tiny}/version/1.1.0/revoke`,
    as: 'owner',
    status: 422
  },
  { name: 'releasing needs a token', send: `PUT ${tiny}/version/1.1.0/release`, status: 401 },
  { name: 'a viewer may not revoke', send: `PUT ${tiny}/version/1.0.0/revoke`, as: 'viewer', status: 403 },
  {
    name: 'deleting answers with what was deleted',
    steps: [
      { send: `DELETE ${tiny}/version/1.0.0`, as: 'owner', status: 200, json: { version: '1.0.0' } },
      { send: `GET ${tiny}/version/1.0.0`, as: 'owner', status: 404 },
      { send: `GET ${tiny}`, status: 200, json: { current_version: null } }
    ]
  }
]
