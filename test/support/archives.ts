import { gzipSync } from 'node:zlib'

/** One entry of a tar archive to be made by hand, also a wrong one. */
export interface Entry {
  readonly name: string
  readonly content?: string | Buffer
  readonly type?: string
  /** In place of the length of the content, in the twelve bytes of the header. */
  readonly sizeField?: Buffer
  readonly prefix?: string
}

export const endOfArchive = Buffer.alloc(1024)

export const tar = (...entries: Entry[]): Buffer => Buffer.concat([...entries.map(tarEntry), endOfArchive])

export const tarGz = (...entries: Entry[]): Buffer => gzipSync(tar(...entries))

/** The smallest thing the clients take for a box. */
export const box = (metadata: unknown = { provider: 'virtualbox', architecture: 'amd64' }): Buffer =>
  tarGz(
    { name: 'metadata.json', content: JSON.stringify(metadata) },
    { name: 'Vagrantfile', content: 'Vagrant.configure("2") {}' }
  )

export function tarEntry({ name, content = '', type = '0', sizeField, prefix = '' }: Entry): Buffer {
  const bytes = Buffer.from(content as Buffer)
  const header = Buffer.alloc(512)
  header.write(name, 0, 100)
  header.write('0000644\0', 100)
  if (sizeField) sizeField.copy(header, 124)
  else header.write(bytes.length.toString(8).padStart(11, '0') + '\0', 124)
  header.write(type, 156)
  header.write('ustar\x0000', 257, 'latin1')
  header.write(prefix, 345, 155)
  sign(header)
  return Buffer.concat([header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)])
}

/** Makes the checksum of a header right again. */
export function sign(header: Buffer): void {
  header.fill(0x20, 148, 156)
  const sum = header.subarray(0, 512).reduce((total, byte) => total + byte, 0)
  header.write(sum.toString(8).padStart(6, '0') + '\0 ', 148)
}

/** Extended header records of pax. */
export function pax(records: Record<string, string>): Entry {
  const lines = Object.entries(records).map(([key, value]) => {
    const rest = ` ${key}=${value}\n`
    let length = rest.length
    while (String(length).length + rest.length !== length) length = String(length).length + rest.length
    return length + rest
  })
  return { name: 'PaxHeaders/x', type: 'x', content: lines.join('') }
}
