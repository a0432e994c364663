/** Providers people have boxes for, the most frequent first. */
export const knownProviders = [
  ...['virtualbox', 'vmware_desktop', 'libvirt', 'hyperv', 'parallels', 'qemu', 'utm', 'docker', 'lxc'],
  ...['xenserver', 'bhyve', 'cloudstack']
]

/** Those the API documents, the most frequent first, and what says nothing of them. */
export const knownArchitectures = [
  ...['amd64', 'arm64', 'i386', 'arm', 'ppc64le', 'ppc64', 's390x', 'mips64le', 'mips64', 'mipsle', 'mips'],
  'unknown'
]
