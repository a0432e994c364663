import type { Scenario, Step } from './scenario.ts'

const version = '/api/:v/box/acme/tiny/version/1.1.0'
const provider = `${version}/provider/virtualbox:arch`
const file = '/acme/boxes/tiny/versions/1.1.0/providers/virtualbox.box'

const ask: Step = {
  send: `GET ${provider}/upload`,
  as: 'contributor',
  status: 200,
  has: ['"upload_path":"{base}/upload/'],
  hasNot: ['callback'],
  save: { upload: 'upload_path' }
}
const askDirect: Step = {
  send: `GET ${provider}/upload/direct`,
  as: 'owner',
  status: 200,
  has: ['"upload_path":"{base}/upload/', `"callback":"{base}${provider}/upload/direct/`],
  save: { upload: 'upload_path', callback: 'callback' }
}
const boundary = { 'content-type': 'multipart/form-data; boundary=xx' }
const form = (...parts: readonly string[]): string =>
  `${parts.map((part) => `--xx\r\n${part}\r\n`).join('')}--xx--\r\n`
const filePart = (content: string, name = 'file'): string =>
  `Content-Disposition: form-data; name="${name}"; filename="x.box"\r\nContent-Type: application/octet-stream\r\n\r\n${content}`

export const uploads: readonly Scenario[] = [
  {
    name: 'rule 6: a simple upload is finished by its PUT, which answers 200 and JSON',
    steps: [
      ask,
      {
        send: 'PUT {upload}',
        body: 'the bytes',
        status: 200,
        json: {},
        answers: { 'content-type': /^application\/json/ }
      },
      { send: `GET ${file}`, as: 'owner', status: 200, has: ['the bytes'] },
      {
        send: `GET ${provider}`,
        as: 'owner',
        status: 200,
        json: {
          hosted: true,
          checksum: 'ed589341c9fd5da96aaff4c5efa008226282a716186608d5a032ac75895a9c2f',
          checksum_type: 'sha256'
        },
        hasNot: ['"hosted_token":null']
      }
    ]
  },
  {
    name: 'rule 6: a direct upload is finished by its callback alone, which answers 200 and JSON',
    steps: [
      askDirect,
      { send: 'PUT {callback}', as: 'owner', headers: { 'content-length': '0' }, status: 422 },
      { send: 'PUT {upload}', body: 'direct bytes', status: 200 },
      { send: `GET ${file}`, as: 'owner', status: 404 },
      { send: 'PUT {callback}', headers: { 'content-length': '0' }, status: 401 },
      {
        send: 'PUT {callback}',
        as: 'owner',
        headers: { 'content-length': '0', 'content-type': 'application/json' },
        status: 200,
        json: { name: 'virtualbox', hosted: true }
      },
      { send: `GET ${file}`, as: 'owner', status: 200, has: ['direct bytes'] }
    ]
  },
  {
    name: 'v2 uploads to the default without an architecture segment',
    in: 'v2',
    steps: [
      {
        send: `GET ${version}/provider/virtualbox/upload`,
        as: 'owner',
        status: 200,
        save: { upload: 'upload_path' }
      },
      { send: 'PUT {upload}', body: 'plain', status: 200 },
      {
        send: `GET ${version}/provider/virtualbox/upload/direct`,
        as: 'owner',
        status: 200,
        has: [`"callback":"{base}${version}/provider/virtualbox/upload/direct/`],
        save: { upload: 'upload_path', callback: 'callback' }
      },
      { send: 'PUT {upload}', body: 'direct', status: 200 },
      { send: 'PUT {callback}', as: 'owner', status: 200, json: { architecture: 'amd64' } },
      { send: `GET ${file}`, as: 'owner', status: 200, has: ['direct'] }
    ]
  },
  {
    name: 'bytes under Content-Type application/json are not read as JSON',
    steps: [
      ask,
      {
        send: 'PUT {upload}',
        as: 'owner',
        headers: { 'content-type': 'application/json' },
        body: Buffer.from([0x1f, 0x8b, 0, 255, 123]),
        status: 200
      }
    ]
  },
  {
    name: 'bytes under a Content-Type that is none are taken',
    steps: [ask, { send: 'PUT {upload}', headers: { 'content-type': 'garbage;;' }, body: 'x', status: 200 }]
  },
  {
    name: 'bytes in chunks, of no known length, are taken',
    steps: [
      ask,
      {
        send: 'PUT {upload}',
        headers: { 'transfer-encoding': 'chunked' },
        body: 'chunked bytes',
        status: 200
      },
      { send: `GET ${file}`, as: 'owner', status: 200, has: ['chunked bytes'] }
    ]
  },
  {
    name: 'POST is taken like PUT',
    steps: [
      ask,
      { send: 'POST {upload}', body: 'posted', status: 200 },
      { send: `GET ${file}`, as: 'owner', status: 200, has: ['posted'] }
    ]
  },
  {
    name: 'the first file of a form is taken',
    steps: [
      ask,
      {
        send: 'POST {upload}',
        headers: boundary,
        body: form(
          'Content-Disposition: form-data; name="a"\r\n\r\nb',
          filePart('the file'),
          filePart('another')
        ),
        status: 200
      },
      {
        send: `GET ${file}`,
        as: 'owner',
        status: 200,
        has: ['the file'],
        hasNot: ['another', 'Content-Disposition']
      }
    ]
  },
  {
    name: 'a form without a file is refused',
    steps: [
      ask,
      {
        send: 'POST {upload}',
        headers: boundary,
        body: form('Content-Disposition: form-data; name="a"\r\n\r\nb'),
        status: 422
      }
    ]
  },
  {
    name: 'a form that breaks off leaves nothing',
    steps: [
      ask,
      { send: 'POST {upload}', headers: boundary, body: `--xx\r\n${filePart('half')}`, status: 422 },
      { send: `GET ${file}`, as: 'owner', status: 404 }
    ]
  },
  {
    name: 'a form without a boundary is refused',
    steps: [
      ask,
      { send: 'POST {upload}', headers: { 'content-type': 'multipart/form-data' }, body: 'x', status: 422 }
    ]
  },
  {
    name: 'a second PUT to the same address replaces the first',
    steps: [
      ask,
      { send: 'PUT {upload}', body: 'first', status: 200 },
      { send: 'PUT {upload}', body: 'second', status: 200 },
      { send: `GET ${file}`, as: 'owner', status: 200, has: ['second'] }
    ]
  },
  {
    name: 'an upload over a released image replaces its file and checksum',
    steps: [
      {
        send: 'GET /api/:v/box/acme/tiny/version/1.0.0/provider/virtualbox:arch/upload',
        as: 'owner',
        status: 200,
        save: { upload: 'upload_path' }
      },
      { send: 'PUT {upload}', body: 'the bytes', status: 200 },
      {
        send: 'GET /api/:v/box/acme/tiny/version/1.0.0/provider/virtualbox:arch',
        status: 200,
        json: { checksum: 'ed589341c9fd5da96aaff4c5efa008226282a716186608d5a032ac75895a9c2f' }
      }
    ]
  },
  {
    name: 'other bytes than were declared are refused, and nothing changes',
    steps: [
      {
        send: `PUT ${provider}`,
        as: 'owner',
        body: { provider: { checksum: 'b'.repeat(64), checksum_type: 'sha256' } },
        status: 200
      },
      ask,
      { send: 'PUT {upload}', body: 'other bytes', status: 422 },
      { send: `GET ${file}`, as: 'owner', status: 404 }
    ]
  },
  {
    name: 'an address nobody gave out is a 404',
    send: 'PUT /upload/6a1c3b1e-0000-4000-8000-000000000000?key=x',
    body: 'x',
    status: 404,
    has: ['unknown or has expired; ask for a new one']
  },
  {
    name: 'an address without its key is a 404',
    steps: [
      askDirect,
      { send: 'PUT {upload}x', body: 'x', status: 404 },
      { send: 'PUT {upload}&key=y', body: 'x', status: 404 }
    ]
  },
  { name: 'GET of an upload address is a 404', send: 'GET /upload/x?key=y', status: 404 },
  { name: 'asking needs a token', send: `GET ${provider}/upload`, status: 401 },
  { name: 'a viewer may not upload', send: `GET ${provider}/upload/direct`, as: 'viewer', status: 403 },
  { name: 'asking with HEAD makes no upload', send: `HEAD ${provider}/upload`, as: 'owner', status: 404 },
  {
    name: 'asking for an image that is not there is a 404',
    send: `GET ${version}/provider/none:arch/upload`,
    as: 'owner',
    status: 404
  },
  {
    name: 'the callback of another image is a 404',
    steps: [
      askDirect,
      { send: 'PUT {upload}', body: 'x', status: 200 },
      {
        send: 'PUT /api/:v/box/acme/tiny/version/1.0.0/provider/virtualbox:arch/upload/direct/none',
        as: 'owner',
        status: 404
      }
    ]
  },
  {
    name: 'a box deleted meanwhile ends the upload in a 404',
    steps: [
      ask,
      { send: 'DELETE /api/:v/box/acme/tiny', as: 'owner', status: 200 },
      { send: 'PUT {upload}', body: 'x', status: 404 }
    ]
  }
]
