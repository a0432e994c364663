import { password } from '../../support/registry.ts'
import type { Scenario } from './scenario.ts'

const login = { login: 'owner', password }

export const authenticate: readonly Scenario[] = [
  {
    name: 'rule 7: a valid token is answered with the name of its user',
    send: 'GET /api/:v/authenticate',
    as: 'owner',
    status: 200,
    json: { user: { username: 'owner' } },
    answers: { 'content-type': /^application\/json/ }
  },
  {
    name: 'nothing else is told unless it is asked for',
    send: 'GET /api/:v/authenticate',
    as: 'contributor',
    status: 200,
    hasNot: ['organizations']
  },
  {
    name: 'whoever asks is told of which organizations the user is a member, and of no other',
    send: 'GET /api/:v/authenticate?organizations=true',
    as: 'contributor',
    status: 200,
    json: { user: { username: 'contributor' }, organizations: ['acme'] }
  },
  {
    name: 'every answer says which registry this is, refusals too',
    send: 'GET /api/:v/authenticate?organizations=true',
    status: 401,
    answers: { 'x-registry-id': /^[0-9a-f-]{36}$/ },
    hasNot: ['acme']
  },
  {
    name: 'no token is a 401',
    send: 'GET /api/:v/authenticate',
    status: 401,
    has: ['Authorization: Bearer']
  },
  {
    name: 'a wrong token is a 401 that says so',
    send: 'GET /api/:v/authenticate',
    as: 'wrong token',
    status: 401,
    has: ['The token is not valid']
  },
  {
    name: 'the legacy header X-Atlas-Token is read',
    send: 'GET /api/:v/authenticate',
    headers: { 'x-atlas-token': '{token}' },
    status: 200
  },
  {
    name: 'the legacy header X-Service-Token is read',
    send: 'GET /api/:v/authenticate',
    headers: { 'x-service-token': '{token}' },
    status: 200
  },
  {
    name: 'access_token in the address is read',
    send: 'GET /api/:v/authenticate?access_token={token}',
    status: 200
  },
  {
    name: 'access_token given twice is no token',
    send: 'GET /api/:v/authenticate?access_token={token}&access_token=x',
    status: 401
  },
  {
    name: 'a token sent together with one of the hosted service is recognised',
    send: 'GET /api/:v/authenticate',
    headers: { authorization: 'Bearer {token};something.else' },
    status: 200
  },
  {
    name: 'the scheme of the header may be written in any case',
    send: 'GET /api/:v/authenticate',
    headers: { authorization: 'bearer {token}' },
    status: 200
  },
  {
    name: 'another scheme is no token',
    send: 'GET /api/:v/authenticate',
    headers: { authorization: 'Basic {token}' },
    status: 401
  },
  {
    name: 'GET with a Content-Type and no body is answered',
    send: 'GET /api/:v/authenticate',
    as: 'owner',
    headers: { 'content-type': 'application/json' },
    status: 200
  },
  {
    name: 'HEAD is answered without a body',
    send: 'HEAD /api/:v/authenticate',
    as: 'owner',
    status: 200
  },
  {
    name: 'signing in with a password makes a token that works, and deleting it ends it',
    in: 'v1',
    steps: [
      {
        send: 'POST /api/v1/authenticate',
        body: { user: login, token: { description: 'here' }, two_factor: { code: null } },
        status: 200,
        json: { description: 'here' },
        has: ['"token":', '"token_hash":', '"created_at":'],
        answers: { 'cache-control': 'no-store' },
        save: { made: 'token' }
      },
      {
        send: 'GET /api/v1/authenticate?access_token={made}',
        status: 200,
        json: { user: { username: 'owner' } }
      },
      {
        send: 'DELETE /api/v1/authenticate?access_token={made}',
        status: 204,
        answers: { 'content-type': null }
      },
      { send: 'DELETE /api/v1/authenticate?access_token={made}', status: 401 },
      { send: 'GET /api/v1/authenticate?access_token={made}', status: 401 }
    ]
  },
  {
    name: 'DELETE with a Content-Type and no body deletes the token',
    in: 'v1',
    send: 'DELETE /api/v1/authenticate',
    as: 'owner',
    headers: { 'content-type': 'application/json', 'content-length': '0' },
    status: 204
  },
  {
    name: 'signing in with form fields, as old clients send them',
    in: 'v1',
    send: 'POST /api/v1/authenticate',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `user[login]=owner&user[password]=${encodeURIComponent(password)}&token[description]&two_factor[code]`,
    status: 200,
    json: { description: '' }
  },
  {
    name: 'a wrong password is a 401',
    in: 'v1',
    send: 'POST /api/v1/authenticate',
    body: { user: { login: 'owner', password: 'wrong' } },
    status: 401
  },
  {
    name: 'a password that is not there is a 401',
    in: 'v1',
    send: 'POST /api/v1/authenticate',
    body: { user: { login: 'owner' } },
    status: 401
  },
  {
    name: 'signing in without a user is a 422',
    in: 'v1',
    send: 'POST /api/v1/authenticate',
    body: {},
    status: 422,
    has: ['user parameter is required!']
  },
  {
    name: 'a login that is no text is a 422',
    in: 'v1',
    send: 'POST /api/v1/authenticate',
    body: { user: { login: ['owner'], password: 5 } },
    status: 422,
    has: ['The login of the user must be text.', 'The password of the user must be text.']
  },
  {
    name: 'tokens are made in v1 alone',
    in: 'v2',
    send: 'POST /api/v2/authenticate',
    body: { user: login },
    status: 404
  },
  {
    name: 'tokens are deleted in v1 alone',
    in: 'v2',
    send: 'DELETE /api/v2/authenticate',
    as: 'owner',
    status: 404
  },
  {
    name: 'a code cannot be requested where two-factor is off',
    in: 'v1',
    send: 'POST /api/v1/two-factor/request-code',
    body: { two_factor: { delivery_method: 'sms' }, user: login },
    status: 422
  },
  {
    name: 'a code is not sent by pigeon',
    in: 'v1',
    send: 'POST /api/v1/two-factor/request-code',
    body: { two_factor: { delivery_method: 'pigeon' }, user: login },
    status: 422,
    has: ['sms']
  },
  {
    name: 'a code is not sent to who does not know the password',
    in: 'v1',
    send: 'POST /api/v1/two-factor/request-code',
    body: { two_factor: { delivery_method: 'sms' }, user: { login: 'owner', password: 'wrong' } },
    status: 401
  }
]
