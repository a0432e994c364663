import { describe, expect, it } from 'vitest'
import { snippetsOf, type Use } from '../../../../../src-renderer/features/box/snippets.ts'

const plain: Use = {
  tag: 'acme/base',
  serverUrl: 'http://127.0.0.1:7575',
  version: null,
  provider: null,
  private: false,
  token: null,
  windows: false
}
const textOf = (id: string, use: Partial<Use> = {}): string =>
  snippetsOf({ ...plain, ...use }).find((snippet) => snippet.id === id)?.text ?? ''

describe('lines that use a box', () => {
  it('begin with the server, for a shell', () => {
    expect(textOf('init')).toBe(
      'export VAGRANT_SERVER_URL=http://127.0.0.1:7575\nvagrant init acme/base\nvagrant up'
    )
  })

  it('are for PowerShell on Windows', () => {
    expect(textOf('init', { windows: true })).toContain('$env:VAGRANT_SERVER_URL = "http://127.0.0.1:7575"\n')
  })

  it('ask for a token only where the box is private', () => {
    expect(textOf('add', { private: true })).toContain('export VAGRANT_CLOUD_TOKEN=YOUR-TOKEN\n')
    expect(textOf('add', { private: true, token: 'boxyard_x' })).toContain('VAGRANT_CLOUD_TOKEN=boxyard_x\n')
    expect(textOf('add')).not.toContain('TOKEN')
  })

  it.each([
    ['init', '--box-version 1.2.0'],
    ['vagrantfile', 'config.vm.box_version = "1.2.0"'],
    ['add', '--box-version 1.2.0'],
    ['packer', 'box_version  = "1.2.0"']
  ])('pin a version in %s', (id, line) => {
    expect(textOf(id, { version: '1.2.0' })).toContain(line)
    expect(textOf(id)).not.toContain('version')
  })

  it('choose a provider where there are several', () => {
    expect(textOf('add', { provider: 'libvirt' })).toContain(' --provider libvirt')
    expect(textOf('packer', { provider: 'libvirt' })).toContain('provider     = "libvirt"')
  })

  it('name the server in the Vagrantfile, which needs no variable then', () => {
    expect(textOf('vagrantfile')).toContain('config.vm.box_server_url = "http://127.0.0.1:7575"')
  })
})
