import { describe, expect, it } from 'vitest'
import { knowsArchitectures } from '../../../src-main/registry/catalogue.ts'

describe('knowsArchitectures', () => {
  it.each([
    'Vagrant/2.4.0',
    'Vagrant/2.4.10 (+https://www.vagrantup.com; ruby3.1.2)',
    'Vagrant/2.10.1',
    'Vagrant/3.0.0',
    'curl/7.88.1'
  ])('%s does', (agent) => expect(knowsArchitectures(agent)).toBe(true))
  it.each([
    undefined,
    'Vagrant/2.3.4 (+https://www.vagrantup.com; ruby3.1.2)',
    'Vagrant/1.9.8',
    'Vagrant/2.0.0'
  ])('%s does not', (agent) => expect(knowsArchitectures(agent)).toBe(false))
})
