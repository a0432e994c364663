import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { environmentFor } from '../../../src-main/vault/keychain-process.ts'
import { troubleNote, troubleOf } from '../../../src-main/vault/keychain-trouble.ts'
import { tempDir } from '../../support/temp.ts'

describe('what keychains say', () => {
  it.each([
    ['Cannot autolaunch D-Bus without X11 $DISPLAY', 'no-bus'],
    ['Could not connect: No such file or directory', 'no-bus'],
    ['Could not connect: Connection refused', 'no-bus'],
    [
      'Error spawning command line “dbus-launch --autolaunch=0 --close-stderr”: Child process exited with code 1',
      'no-bus'
    ],
    ['The name org.freedesktop.secrets was not provided by any .service files', 'no-program'],
    ['Failed to load keytar native addon, checked ["../build/Release"] on prebuilds/linux-x64', 'no-library'],
    ["Cannot find package 'keytar' imported from /opt/boxyard/keychain-worker.js", 'no-library'],
    ['Cannot create an item in a locked collection', 'locked'],
    ['Object does not exist at path “/org/freedesktop/secrets/collection/login”', 'locked'],
    ['User interaction is not allowed.', 'locked'],
    ['User canceled the operation.', 'denied'],
    ['The user name or passphrase you entered is not correct.', 'denied'],
    ['GDBus.Error:org.freedesktop.DBus.Error.AccessDenied: Rejected send message', 'denied'],
    ['Timeout was reached', 'silent'],
    ['The stub received bad data.', 'other']
  ])('"%s" is %s', (message, trouble) => {
    expect(troubleOf(new Error(message)).trouble).toBe(trouble)
  })

  it('is told to the person in sentences, and is bounded', () => {
    const { trouble, message } = troubleOf(new Error('x'.repeat(10_000)))
    expect(troubleNote(trouble, message)).toMatch(/^The keychain could not be used: x{200}\.$/)
    expect(troubleNote('other', '')).toBe('The keychain could not be used: it did not say why.')
  })
})

describe('what the process for the keychain gets to know', () => {
  it('is no token and no display', () => {
    const all = {
      BOXYARD_TOKEN_LAB: 'secret',
      DISPLAY: ':0',
      WAYLAND_DISPLAY: 'wayland-0',
      DBUS_SESSION_BUS_ADDRESS: 'unix:path=/x',
      HOME: '/home/a'
    }
    expect(environmentFor(all, 'linux')).toEqual({
      DBUS_SESSION_BUS_ADDRESS: 'unix:path=/x',
      HOME: '/home/a'
    })
  })

  it('is nothing on a Linux without a bus, where it is not started', () => {
    expect(environmentFor({ HOME: '/home/a', DISPLAY: ':0', XDG_RUNTIME_DIR: tempDir() }, 'linux')).toBeNull()
    expect(environmentFor({ HOME: '/home/a' }, 'darwin')).toEqual({ HOME: '/home/a' })
  })

  it('is a bus in the runtime folder too', () => {
    const runtime = tempDir()
    mkdirSync(join(runtime, 'bus'))
    expect(environmentFor({ XDG_RUNTIME_DIR: runtime }, 'linux')).toEqual({ XDG_RUNTIME_DIR: runtime })
  })
})
