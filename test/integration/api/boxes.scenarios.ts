import type { Scenario } from './scenario.ts'

const boxKeys = [
  'created_at',
  'updated_at',
  'tag',
  'name',
  'short_description',
  'description',
  'description_html',
  'description_markdown',
  'username',
  'private',
  'downloads',
  'current_version',
  'versions'
]
const form = { 'content-type': 'application/x-www-form-urlencoded' }

export const boxes: readonly Scenario[] = [
  {
    name: 'a box is read with all its fields and its versions',
    send: 'GET /api/:v/box/acme/tiny',
    status: 200,
    json: {
      tag: 'acme/tiny',
      name: 'tiny',
      username: 'acme',
      private: false,
      short_description: 'a tiny box',
      description: 'Long *tiny*',
      description_markdown: 'Long *tiny*',
      current_version: { version: '1.0.0' },
      versions: [
        { version: '1.0.0', number: '1.0.0', status: 'active' },
        { version: '0.9.0', status: 'revoked' }
      ]
    },
    has: [...boxKeys.map((key) => `"${key}":`), '<em>tiny</em>'],
    hasNot: ['1.1.0']
  },
  {
    name: 'times are ISO 8601 in UTC with milliseconds',
    send: 'GET /api/:v/box/acme/tiny',
    status: 200,
    has: ['Z","updated_at":"2']
  },
  {
    name: 'URLs in it are of the host asked and the version of the API asked',
    send: 'GET /api/:v/box/acme/tiny',
    headers: { host: 'localhost:99' },
    status: 200,
    has: [
      '"http://localhost:99/api/:v/box/acme/tiny/version/1.0.0/release"',
      '"http://localhost:99/api/:v/box/acme/tiny/version/1.0.0/revoke"',
      '"http://localhost:99/acme/boxes/tiny/versions/1.0.0/providers/virtualbox'
    ],
    hasNot: ['127.0.0.1']
  },
  {
    name: 'what a proxy says of the host is not believed',
    send: 'GET /api/:v/box/acme/tiny',
    headers: {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example'
    },
    status: 200,
    hasNot: ['evil.example', 'https://']
  },
  {
    name: 'members see unreleased versions too, newest first',
    send: 'GET /api/:v/box/acme/tiny',
    as: 'viewer',
    status: 200,
    json: {
      versions: [{ version: '1.1.0', status: 'unreleased' }, { version: '1.0.0' }, { version: '0.9.0' }]
    }
  },
  {
    name: 'v1 shows one entry a provider, the default, and no architectures',
    in: 'v1',
    send: 'GET /api/v1/box/acme/tiny',
    status: 200,
    json: {
      current_version: {
        providers: [
          {
            name: 'virtualbox',
            hosted: true,
            original_url: null,
            checksum_type: 'sha256',
            download_url: '{base}/acme/boxes/tiny/versions/1.0.0/providers/virtualbox.box'
          }
        ]
      }
    },
    hasNot: ['architecture', 'arm64']
  },
  {
    name: 'rule 3: v2 shows every image with its architecture, also inside a box',
    in: 'v2',
    send: 'GET /api/v2/box/acme/tiny',
    status: 200,
    json: {
      current_version: {
        providers: [
          {
            name: 'virtualbox',
            architecture: 'amd64',
            default_architecture: true,
            hosted: true,
            original_url: null,
            checksum_type: 'sha256',
            download_url: '{base}/acme/boxes/tiny/versions/1.0.0/providers/virtualbox/amd64/vagrant.box'
          },
          { architecture: 'arm64', default_architecture: false }
        ]
      }
    },
    has: ['"hosted_token":"', '"checksum":"', '"created_at":', '"updated_at":']
  },
  {
    name: 'the name is found in any case and shown as written',
    send: 'GET /api/:v/box/Acme/TINY',
    status: 200,
    json: { tag: 'acme/tiny' }
  },
  { name: 'a private box is a 404 to anybody', send: 'GET /api/:v/box/acme/secret', status: 404 },
  {
    name: 'a private box is a 404 to a stranger',
    send: 'GET /api/:v/box/acme/secret',
    as: 'stranger',
    status: 404,
    has: ['Resource not found!']
  },
  {
    name: 'a private box is shown to members',
    send: 'GET /api/:v/box/acme/secret',
    as: 'viewer',
    status: 200
  },
  {
    name: 'a private box is shown with the token in the address',
    send: 'GET /api/:v/box/acme/secret?access_token={token}',
    status: 200
  },
  {
    name: 'rule 10: a public box is shown with a wrong token',
    send: 'GET /api/:v/box/acme/tiny',
    as: 'wrong token',
    status: 200
  },
  {
    name: 'an unchanged box is a 304; a changed one is not',
    steps: [
      { send: 'GET /api/:v/box/acme/tiny', status: 200, answers: { etag: /^"/, vary: /Authorization/ } },
      { send: 'GET /api/:v/box/acme/tiny', headers: { 'if-none-match': 'W/"x", *' }, status: 304 },
      {
        send: 'PUT /api/:v/box/acme/tiny',
        as: 'owner',
        body: { box: { short_description: 'new' } },
        status: 200
      },
      { send: 'GET /api/:v/box/acme/tiny', status: 200, json: { short_description: 'new' } }
    ]
  },
  {
    name: 'a box is created, private unless said otherwise, without versions',
    send: 'POST /api/:v/boxes',
    as: 'contributor',
    body: { box: { username: 'acme', name: 'fresh' } },
    status: 200,
    json: {
      tag: 'acme/fresh',
      private: true,
      current_version: null,
      versions: [],
      short_description: '',
      description_html: '',
      description_markdown: ''
    }
  },
  {
    name: 'rule 4: a flat body creates a box',
    send: 'POST /api/:v/boxes',
    as: 'owner',
    body: { username: 'acme', name: 'flat', is_private: false, description: null, short_description: null },
    status: 200,
    json: { tag: 'acme/flat', private: false, description: '' }
  },
  {
    name: 'rule 4: a flat body updates a box',
    send: 'PUT /api/:v/box/acme/tiny',
    as: 'owner',
    body: { short_description: 'flat', description: null, is_private: null },
    status: 200,
    json: { short_description: 'flat', description: 'Long *tiny*', private: false }
  },
  {
    name: 'a form creates a box, as old clients send it',
    send: 'POST /api/:v/boxes',
    as: 'owner',
    headers: form,
    body: 'box[username]=acme&box[name]=formed&box[is_private]=false&box[short_description]=a+b&box[description]',
    status: 200,
    json: { tag: 'acme/formed', private: false, short_description: 'a b', description: '' }
  },
  {
    name: 'a flat form creates a box',
    send: 'POST /api/:v/boxes',
    as: 'owner',
    headers: form,
    body: 'username=acme&name=formed&is_private=0',
    status: 200,
    json: { tag: 'acme/formed', private: false }
  },
  {
    name: 'JSON is read under a type with a charset',
    send: 'POST /api/:v/boxes',
    as: 'owner',
    headers: { 'content-type': 'application/json; charset=UTF-8' },
    body: '{"box":{"username":"acme","name":"typed"}}',
    status: 200
  },
  {
    name: 'JSON is read under no type at all',
    send: 'POST /api/:v/boxes',
    as: 'owner',
    body: '{"box":{"username":"acme","name":"typed"}}',
    status: 200
  },
  {
    name: 'rule 5: null leaves what there is, empty text clears it',
    steps: [
      {
        send: 'PUT /api/:v/box/acme/tiny',
        as: 'owner',
        body: { box: { name: null, short_description: null, description: null, is_private: null } },
        status: 200,
        json: { name: 'tiny', short_description: 'a tiny box', description: 'Long *tiny*', private: false }
      },
      {
        send: 'PUT /api/:v/box/acme/tiny',
        as: 'owner',
        body: { box: { description: '' } },
        status: 200,
        json: { description: '', description_html: '', short_description: 'a tiny box' }
      }
    ]
  },
  {
    name: 'a body without its wrapper says which is missing',
    send: 'POST /api/:v/boxes',
    as: 'owner',
    body: { bax: {} },
    status: 422,
    json: { errors: ['box parameter is required!'] }
  },
  {
    name: 'no body at all says which wrapper is missing',
    send: 'POST /api/:v/boxes',
    as: 'owner',
    headers: { 'content-type': 'application/json' },
    status: 422,
    json: { errors: ['box parameter is required!'] }
  },
  {
    name: 'a wrapper that holds no fields is no wrapper',
    send: 'PUT /api/:v/box/acme/tiny',
    as: 'owner',
    body: { box: ['tiny'] },
    status: 422,
    json: { errors: ['box parameter is required!'] }
  },
  {
    name: 'every field of a wrong type is one sentence',
    send: 'POST /api/:v/boxes',
    as: 'owner',
    body: { box: { username: 5, name: ['a'], is_private: 'perhaps' } },
    status: 422,
    json: {
      errors: [
        'The username of a box must be text.',
        'The name of a box must be text.',
        'The is_private of a box must be true or false.'
      ]
    }
  },
  {
    name: '__proto__ in a body is nothing special',
    send: 'POST /api/:v/boxes',
    as: 'owner',
    headers: { 'content-type': 'application/json' },
    body: '{"__proto__":{"box":{"username":"acme","name":"x"}},"constructor":{"prototype":{"a":1}}}',
    status: 422,
    json: { errors: ['box parameter is required!'] }
  },
  {
    name: '__proto__ in a form is nothing special',
    send: 'POST /api/:v/boxes',
    as: 'owner',
    headers: form,
    body: '__proto__[box][name]=x&box[__proto__][name]=x&box[constructor][prototype]=y',
    status: 422
  },
  {
    name: 'a name that exists is refused, in any case',
    send: 'POST /api/:v/boxes',
    as: 'owner',
    body: { box: { username: 'acme', name: 'TINY' } },
    status: 422
  },
  {
    name: 'a name that no URL can hold is refused',
    send: 'POST /api/:v/boxes',
    as: 'owner',
    body: { box: { username: 'acme', name: 'a b' } },
    status: 422,
    has: ['a b']
  },
  {
    name: 'a short_description of 256 characters is refused',
    send: 'POST /api/:v/boxes',
    as: 'owner',
    body: { box: { username: 'acme', name: 'x', short_description: 'x'.repeat(256) } },
    status: 422
  },
  {
    name: 'creating without a token is a 401',
    send: 'POST /api/:v/boxes',
    body: { box: { username: 'acme', name: 'x' } },
    status: 401
  },
  {
    name: 'creating with a wrong token is a 401, whatever the body is',
    send: 'POST /api/:v/boxes',
    as: 'wrong token',
    headers: { 'content-type': 'application/json' },
    body: '{',
    status: 401
  },
  {
    name: "creating in somebody else's organization is a 403",
    send: 'POST /api/:v/boxes',
    as: 'stranger',
    body: { box: { username: 'acme', name: 'x' } },
    status: 403
  },
  {
    name: 'a viewer may not create',
    send: 'POST /api/:v/boxes',
    as: 'viewer',
    body: { box: { username: 'acme', name: 'x' } },
    status: 403
  },
  {
    name: 'a viewer may not update',
    send: 'PUT /api/:v/box/acme/tiny',
    as: 'viewer',
    body: { box: { name: 'x' } },
    status: 403
  },
  {
    name: 'a stranger may not even see what he would update',
    send: 'PUT /api/:v/box/acme/secret',
    as: 'stranger',
    body: { box: { name: 'x' } },
    status: 404
  },
  {
    name: 'a contributor may not delete',
    send: 'DELETE /api/:v/box/acme/tiny',
    as: 'contributor',
    status: 403
  },
  {
    name: 'a renamed box is found by its new name alone',
    steps: [
      {
        send: 'PUT /api/:v/box/acme/tiny',
        as: 'owner',
        body: { box: { name: 'small' } },
        status: 200,
        json: { tag: 'acme/small' }
      },
      { send: 'GET /api/:v/box/acme/tiny', status: 404 },
      { send: 'GET /api/:v/box/acme/small', status: 200 }
    ]
  },
  {
    name: 'deleting answers with what was deleted',
    steps: [
      {
        send: 'DELETE /api/:v/box/acme/tiny',
        as: 'owner',
        headers: { 'content-type': 'application/json' },
        status: 200,
        json: { tag: 'acme/tiny', versions: [{}, {}, {}] }
      },
      { send: 'GET /api/:v/box/acme/tiny', as: 'owner', status: 404 },
      { send: 'DELETE /api/:v/box/acme/tiny', as: 'owner', status: 404 }
    ]
  }
]
