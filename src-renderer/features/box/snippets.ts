/** What somebody has to know to use a box from this server. */
export interface Use {
  readonly tag: string
  readonly serverUrl: string
  /** Only this one, where a version is to be pinned. */
  readonly version: string | null
  /** Only this one, where the box has several. */
  readonly provider: string | null
  readonly private: boolean
  /** Who a private box is asked for as; null leaves a place for it. */
  readonly token: string | null
  /** Whether commands are for PowerShell. */
  readonly windows: boolean
}

/** A way to use the box: what it is called, and the lines to copy. */
export interface Snippet {
  readonly id: string
  readonly label: string
  readonly text: string
}

export function snippetsOf(use: Use): Snippet[] {
  const before = [variable(use, 'VAGRANT_SERVER_URL', use.serverUrl)]
  if (use.private) before.push(variable(use, 'VAGRANT_CLOUD_TOKEN', use.token ?? 'YOUR-TOKEN'))
  const commands = (...lines: string[]): string => [...before, ...lines].join('\n')
  const version = use.version === null ? '' : ` --box-version ${use.version}`
  const provider = use.provider === null ? '' : ` --provider ${use.provider}`
  return [
    { id: 'init', label: 'vagrant init', text: commands(`vagrant init ${use.tag}${version}`, 'vagrant up') },
    { id: 'vagrantfile', label: 'Vagrantfile', text: vagrantfile(use) },
    {
      id: 'add',
      label: 'vagrant box add',
      text: commands(`vagrant box add ${use.tag}${version}${provider}`)
    },
    { id: 'packer', label: 'Packer', text: packer(use) }
  ]
}

const variable = ({ windows }: Use, name: string, value: string): string =>
  windows ? `$env:${name} = "${value}"` : `export ${name}=${value}`

const vagrantfile = ({ tag, serverUrl, version }: Use): string =>
  [
    'Vagrant.configure("2") do |config|',
    `  config.vm.box = "${tag}"`,
    ...(version === null ? [] : [`  config.vm.box_version = "${version}"`]),
    `  config.vm.box_server_url = "${serverUrl}"`,
    'end'
  ].join('\n')

const packer = ({ tag, serverUrl, version, provider }: Use): string =>
  [
    '# VAGRANT_SERVER_URL has to be set as well:',
    `# ${serverUrl}`,
    'source "vagrant" "base" {',
    '  communicator = "ssh"',
    `  source_path  = "${tag}"`,
    ...(version === null ? [] : [`  box_version  = "${version}"`]),
    ...(provider === null ? [] : [`  provider     = "${provider}"`]),
    '}'
  ].join('\n')
