/** What the demonstration catalogue is made of. All of it is invented or common knowledge. */

interface DemoSystem {
  readonly name: string
  readonly title: string
  readonly releases: readonly string[]
}

/** Roughly by how often people make boxes of them. */
export const systems: readonly DemoSystem[] = [
  { name: 'ubuntu', title: 'Ubuntu', releases: ['22.04', '24.04', '20.04', '18.04', '16.04', '25.04'] },
  { name: 'debian', title: 'Debian', releases: ['12', '11', '13', '10', '9'] },
  { name: 'rocky', title: 'Rocky Linux', releases: ['9', '8', '10'] },
  { name: 'almalinux', title: 'AlmaLinux', releases: ['9', '8', '10'] },
  { name: 'centos', title: 'CentOS', releases: ['7', 'stream9', '8', '6'] },
  { name: 'fedora', title: 'Fedora', releases: ['41', '40', '39', '42', 'rawhide'] },
  { name: 'windows', title: 'Windows', releases: ['2022', '10', '2019', '11', '2025'] },
  { name: 'alpine', title: 'Alpine Linux', releases: ['3.19', '3.20', '3.21', '3.18'] },
  { name: 'opensuse', title: 'openSUSE', releases: ['leap15.6', 'tumbleweed', 'leap15.5'] },
  { name: 'arch', title: 'Arch Linux', releases: ['rolling'] },
  { name: 'freebsd', title: 'FreeBSD', releases: ['14', '13', '15'] },
  { name: 'oracle', title: 'Oracle Linux', releases: ['9', '8'] },
  { name: 'openbsd', title: 'OpenBSD', releases: ['7.5', '7.6', '7.4'] },
  { name: 'nixos', title: 'NixOS', releases: ['24.05', '24.11'] },
  { name: 'kali', title: 'Kali Linux', releases: ['rolling'] },
  { name: 'gentoo', title: 'Gentoo', releases: ['openrc', 'systemd'] },
  { name: 'haiku', title: 'Haiku', releases: ['r1'] }
]

export const purposes = [
  ...[
    'docker',
    'kubernetes',
    'minimal',
    'desktop',
    'lamp',
    'jenkins',
    'ansible',
    'postgresql',
    'nginx',
    'php',
    'rails'
  ],
  ...[
    'node',
    'java',
    'golang',
    'python',
    'elasticsearch',
    'kafka',
    'gitlab',
    'hardened',
    'ci-runner',
    'hadoop',
    'redis'
  ],
  ...[
    'mysql',
    'mongodb',
    'rust',
    'dotnet',
    'vault',
    'consul',
    'nomad',
    'openstack',
    'puppet',
    'salt',
    'chef',
    'selenium'
  ],
  ...[
    'wordpress',
    'drupal',
    'magento',
    'laravel',
    'symfony',
    'django',
    'haproxy',
    'varnish',
    'grafana',
    'prometheus'
  ]
] as const

export const variants = [
  'base',
  'server',
  'dev',
  'test',
  'build',
  'lab',
  'training',
  'golden',
  'edge',
  'lts',
  'slim'
]

export const sentences = [
  'ready for {purpose} development',
  'with {purpose} preinstalled',
  'a {variant} image for {purpose}, rebuilt every month',
  '{purpose} {variant} box',
  'guest additions included, {purpose} configured',
  'minimal installation for {purpose} workshops',
  'what we use for {purpose} in our {variant} environments',
  'hardened {variant} system, auditing on, {purpose} optional'
]

export const notes = [
  'Security updates of the month.',
  'Kernel and guest additions updated.',
  '## Changed\n\n- smaller disk image\n- `sshd` takes keys only',
  'First release.',
  '## Fixed\n\n- network comes up without a cable\n- the clock no longer drifts after a resume',
  'Rebuilt from the *latest* installation media.',
  ''
]

export const organizationNames = {
  first: [
    ...[
      'north',
      'south',
      'blue',
      'red',
      'green',
      'silver',
      'iron',
      'copper',
      'quiet',
      'bright',
      'open',
      'free',
      'cloud'
    ],
    ...[
      'river',
      'mountain',
      'harbor',
      'maple',
      'cedar',
      'polar',
      'solar',
      'lunar',
      'pixel',
      'vector',
      'quantum',
      'delta'
    ]
  ],
  second: [
    'works',
    'labs',
    'systems',
    'forge',
    'soft',
    'ops',
    'stack',
    'wind',
    'gate',
    'field',
    'data',
    'crew'
  ]
}

/** How likely a box is to come for a provider. */
export const providers: readonly (readonly [name: string, share: number])[] = [
  ['virtualbox', 0.8],
  ['libvirt', 0.3],
  ['vmware_desktop', 0.15],
  ['hyperv', 0.06],
  ['parallels', 0.05],
  ['qemu', 0.04],
  ['utm', 0.02],
  ['docker', 0.02],
  ['xenserver', 0.004]
]

/** How likely an image's version also comes for another architecture than the usual one. */
export const otherArchitectures: readonly (readonly [name: string, share: number])[] = [
  ['arm64', 0.2],
  ['i386', 0.03],
  ['ppc64le', 0.01],
  ['s390x', 0.003]
]
