/** What the process that talks to the keychain is asked. */
export type KeychainRequest =
  | { readonly do: 'keep'; readonly name: string; readonly secret: string }
  | { readonly do: 'find'; readonly name: string }
  | { readonly do: 'forget'; readonly name: string }

/** Why the keychain cannot be used. */
export type KeychainTrouble =
  /** Not even asked: the person said so. */
  | 'unwanted'
  /** Nothing in this session speaks D-Bus. */
  | 'no-bus'
  /** Nothing in this session keeps a keychain. */
  | 'no-program'
  /** The add-on, or what it needs of the system, is not there. */
  | 'no-library'
  | 'locked'
  | 'denied'
  /** No answer within the time given. */
  | 'silent'
  /** It said that it kept a secret, and then did not have it. */
  | 'forgetful'
  | 'other'

/** What it answers: a secret or none, or what is in the way. */
export type KeychainReply =
  { readonly secret: string | null } | { readonly trouble: KeychainTrouble; readonly message: string }
