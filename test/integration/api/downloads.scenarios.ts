import { sampleFile } from '../../support/registry.ts'
import type { Scenario } from './scenario.ts'

const files = '/acme/boxes/tiny/versions'
const amd64 = `${files}/1.0.0/providers/virtualbox/amd64/vagrant.box`
const whole = sampleFile('tiny amd64')
const size = whole.length
const full = { 'content-length': String(size), 'content-range': null }

/** These paths belong to no version of the API, so one run is enough. */
const scenarios: readonly Scenario[] = [
  {
    name: 'the file is answered whole, as bytes, with a safe name',
    send: `GET ${amd64}`,
    status: 200,
    has: [whole.toString()],
    answers: {
      ...full,
      'content-type': 'application/octet-stream',
      'accept-ranges': 'bytes',
      'content-disposition': 'attachment; filename="tiny-1.0.0-virtualbox-amd64.box"',
      'cache-control': 'private, no-cache',
      etag: /^"[0-9a-f]{64}"$/
    }
  },
  {
    name: 'the address of v1 is the default architecture',
    send: `GET ${files}/1.0.0/providers/virtualbox.box`,
    status: 200,
    has: ['tiny amd64'],
    answers: full
  },
  {
    name: 'another architecture is another file',
    send: `GET ${files}/1.0.0/providers/virtualbox/arm64/vagrant.box`,
    status: 200,
    has: ['tiny arm64']
  },
  {
    name: 'HEAD is never JSON, and has the length',
    send: `HEAD ${amd64}`,
    headers: { accept: 'application/json' },
    status: 200,
    answers: {
      'content-type': 'application/octet-stream',
      'content-length': String(size),
      'accept-ranges': 'bytes'
    }
  },
  {
    name: 'a Range from the middle on is a 206',
    send: `GET ${amd64}`,
    headers: { range: 'bytes=100-' },
    status: 206,
    answers: { 'content-range': `bytes 100-${size - 1}/${size}`, 'content-length': String(size - 100) }
  },
  {
    name: 'a Range with an end is a 206',
    send: `GET ${amd64}`,
    headers: { range: 'bytes=4-8' },
    status: 206,
    json: undefined,
    has: ['bytes'],
    answers: { 'content-range': `bytes 4-8/${size}`, 'content-length': '5' }
  },
  {
    name: 'a Range of the last bytes is a 206',
    send: `GET ${amd64}`,
    headers: { range: 'bytes=-10' },
    status: 206,
    answers: { 'content-range': `bytes ${size - 10}-${size - 1}/${size}`, 'content-length': '10' }
  },
  {
    name: 'rule 11: a Range that starts at the end is answered in full',
    send: `GET ${amd64}`,
    headers: { range: `bytes=${size}-` },
    status: 200,
    answers: full
  },
  {
    name: 'rule 11: a Range that starts after the end is answered in full',
    send: `GET ${amd64}`,
    headers: { range: `bytes=${size + 1000}-` },
    status: 200,
    answers: full
  },
  ...['bytes=5-1', 'bytes=0-1,5-6', 'lines=1-2', 'bytes=a-b', 'bytes=-', 'bytes=-0', 'bytes'].map(
    (range): Scenario => ({
      name: `the Range "${range}" is ignored`,
      send: `GET ${amd64}`,
      headers: { range },
      status: 200,
      answers: full
    })
  ),
  {
    name: 'a Range of another file (If-Range) is answered in full',
    send: `GET ${amd64}`,
    headers: { range: 'bytes=4-8', 'if-range': '"another"' },
    status: 200,
    answers: full
  },
  {
    name: 'a file elsewhere is a 302',
    send: 'GET /acme/boxes/linked/versions/1.0.0/providers/virtualbox.box',
    status: 302,
    answers: { location: 'http://elsewhere.example/linked.box' }
  },
  {
    name: 'a file elsewhere is a 302 for HEAD too',
    send: 'HEAD /acme/boxes/linked/versions/1.0.0/providers/virtualbox/amd64/vagrant.box',
    status: 302,
    answers: { location: 'http://elsewhere.example/linked.box' }
  },
  {
    name: 'whole downloads are counted; parts and HEAD are not',
    alone: true,
    steps: [
      { send: `HEAD ${amd64}`, status: 200 },
      { send: `GET ${amd64}`, headers: { range: 'bytes=0-' }, status: 206 },
      { send: 'GET /api/v2/box/acme/tiny', status: 200, json: { downloads: 0 } },
      { send: `GET ${amd64}`, status: 200 },
      { send: 'GET /api/v2/box/acme/tiny', status: 200, json: { downloads: 1 } },
      { send: `GET ${files}/1.0.0/providers/virtualbox.box`, status: 200 },
      { send: 'GET /api/v2/box/acme/tiny', status: 200, json: { downloads: 2 } },
      { send: 'GET /api/v1/user/acme', status: 200, has: ['"downloads":2'] },
      { send: 'GET /acme/boxes/linked/versions/1.0.0/providers/virtualbox.box', status: 302 },
      { send: 'GET /api/v2/box/acme/linked', status: 200, json: { downloads: 0 } }
    ]
  },
  {
    name: 'a revoked version is still downloaded by its exact address',
    send: `GET ${files}/0.9.0/providers/virtualbox.box`,
    status: 200
  },
  {
    name: 'an unreleased version is downloaded by members alone',
    steps: [
      {
        send: 'GET /api/v2/box/acme/tiny/version/1.1.0/provider/virtualbox/amd64/upload',
        as: 'owner',
        status: 200,
        save: { upload: 'upload_path' }
      },
      { send: 'PUT {upload}', body: 'bytes', status: 200 },
      { send: `GET ${files}/1.1.0/providers/virtualbox.box`, status: 404 },
      { send: `GET ${files}/1.1.0/providers/virtualbox.box`, as: 'stranger', status: 404 },
      { send: `GET ${files}/1.1.0/providers/virtualbox.box`, as: 'viewer', status: 200 }
    ]
  },
  {
    name: 'a private file is a 404 without a token',
    send: 'GET /acme/boxes/secret/versions/1.0.0/providers/virtualbox.box',
    status: 404
  },
  {
    name: 'a private file is downloaded with one, in the header or the address',
    steps: [
      { send: 'GET /acme/boxes/secret/versions/1.0.0/providers/virtualbox.box', as: 'viewer', status: 200 },
      {
        send: 'GET /acme/boxes/secret/versions/1.0.0/providers/virtualbox/amd64/vagrant.box?access_token={token}',
        status: 200
      }
    ]
  },
  {
    name: 'rule 10: a wrong token takes nothing public away',
    send: `GET ${amd64}`,
    as: 'wrong token',
    status: 200
  },
  {
    name: 'no file yet is a 404',
    send: `GET ${files}/1.1.0/providers/virtualbox.box`,
    as: 'owner',
    status: 404
  },
  { name: 'another ending is a 404', send: `GET ${files}/1.0.0/providers/virtualbox.zip`, status: 404 },
  { name: 'no name before the ending is a 404', send: `GET ${files}/1.0.0/providers/.box`, status: 404 },
  {
    name: 'a file the client has is a 304',
    send: `GET ${amd64}`,
    headers: { 'if-none-match': '*' },
    status: 304
  }
]

export const downloads = scenarios.map((scenario): Scenario => ({ ...scenario, in: 'v2' }))
