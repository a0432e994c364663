import type { KeychainReply, KeychainTrouble } from './keychain-messages.ts'

/** What the systems' own keychains say, by what it means. Their words are all there is to tell by. */
const meanings: readonly (readonly [KeychainTrouble, RegExp])[] = [
  ['no-library', /Failed to load keytar native addon|Cannot find (module|package)|ERR_DLOPEN_FAILED/i],
  ['no-bus', /autolaunch|Could not connect|Connection refused|Error spawning command line|dbus-launch/i],
  ['no-bus', /No such file or directory|exhausted all available authentication mechanisms/i],
  ['no-program', /was not provided by any \.service files|ServiceUnknown|NameHasNoOwner|Spawn\./i],
  // macOS may not show a question, and says so with the first of these.
  ['locked', /interaction is not allowed|is locked|locked collection/i],
  // Also what is said of a keychain that was never unlocked, so that nobody knows of its collections.
  ['locked', /Object does not exist at path/i],
  ['denied', /cancel|dismiss|denied|AccessDenied|not permitted|rejected|passphrase you entered/i],
  ['silent', /timeout|timed out|NoReply|did not receive a reply/i]
]

export function troubleOf(error: unknown): Extract<KeychainReply, { trouble: unknown }> {
  const message = error instanceof Error ? error.message : String(error)
  const [trouble] = meanings.find(([, words]) => words.test(message)) ?? ['other' as const]
  return { trouble, message: message.slice(0, 200) }
}

/** Why, for a person: what is the matter, and what would help. */
export function troubleNote(trouble: KeychainTrouble, message: string): string {
  switch (trouble) {
    case 'unwanted':
      return 'The keychain is not used, as BOXYARD_KEYCHAIN_WAIT says.'
    case 'no-bus':
      return 'There is no keychain in this session: it has no message bus (D-Bus), by which one would be reached.'
    case 'no-program':
      return 'There is no keychain in this session: no program keeps one. GNOME Keyring and KWallet do.'
    case 'no-library':
      return process.platform === 'linux'
        ? 'The keychain cannot be used: its library is missing. On Debian, libsecret-1-0 brings it.'
        : 'The keychain cannot be used: what the program needs for it is missing. Installing it again helps.'
    case 'locked':
      return 'The keychain is locked, and nobody unlocked it.'
    case 'denied':
      return 'The keychain did not let Boxyard in.'
    case 'silent':
      return 'The keychain did not answer in time. It may be waiting for its password in a window of its own.'
    case 'forgetful':
      return 'The keychain took the token and did not have it a moment later.'
    case 'other':
      return `The keychain could not be used: ${withoutEnd(message)}.`
  }
}

const withoutEnd = (message: string): string => message.replace(/[.\s]+$/, '') || 'it did not say why'
