import type { Accounts } from '../access/accounts.ts'
import type { ShownCodes } from '../access/shown-codes.ts'
import type { Tokens } from '../access/tokens.ts'
import type { Profiles } from '../catalog/profiles.ts'
import type { DiskUsage } from '../catalog/usage.ts'
import type { AccessView } from '../contract/access.ts'
import { Problem } from '../domain/problem.ts'
import type { HandlersOf } from './handlers.ts'
import type { Hub } from './hub.ts'

interface Needs {
  readonly accounts: Accounts
  readonly tokens: Tokens
  readonly profiles: Profiles
  readonly shownCodes: ShownCodes
  readonly usage: DiskUsage
  readonly hub: Hub
}

export function accessHandlers(needs: Needs): HandlersOf<'access'> {
  const { accounts, tokens, profiles, shownCodes, hub } = needs
  shownCodes.watch(({ user, code }) => {
    hub.emit({
      name: 'notice',
      data: {
        kind: 'info',
        sentence: `Sign-in code for ${user}: ${code}, valid for 5 minutes.`,
        to: '/access'
      }
    })
    return hub.hasListeners
  })
  return {
    access: () => viewOf(needs),
    'access.addAccount': async ({ name, email, password }) =>
      void (await accounts.addUser(name, email, password)),
    'access.removeAccount': ({ name }) => accounts.removeUser(name),
    'access.setPassword': ({ name, password }) => accounts.setPassword(name, password),
    'access.setTwoFactor': ({ name, on }) => accounts.setTwoFactor(name, on),
    'access.addOrganization': ({ name, owner }) => void accounts.addOrganization(name, owner),
    'access.removeOrganization': ({ name }) => accounts.removeOrganization(name),
    'access.setProfile': ({ name, profile }) => profiles.set(name, profile),
    'access.setMember': ({ organization, user, role }) => accounts.setMember(organization, user, role),
    'access.issueToken': ({ user, description }) => {
      const owner = accounts.findUser(user)
      if (!owner) throw new Problem('missing', `There is no user "${user}".`)
      const { id, token } = tokens.issue(owner.id, description)
      return { id, token }
    },
    'access.revokeToken': ({ id }) => tokens.revoke(id)
  }
}

/** Every field is named here: rows may hold more than the interface should see. */
async function viewOf({ accounts, tokens, shownCodes, usage }: Needs): Promise<AccessView> {
  const boxCounts = await usage.boxCounts()
  const owner = accounts.owner()
  const memberships = accounts.memberships()
  const byUser = grouped(memberships, ({ user }) => user)
  const byOrganization = grouped(memberships, ({ organization }) => organization)
  return {
    accounts: accounts.users().map(({ id, name, email, hasPassword, hasTwoFactor, createdAt }) => ({
      name,
      email,
      isOwner: id === owner?.id,
      hasPassword,
      hasTwoFactor,
      createdAt,
      memberOf: (byUser.get(name) ?? []).map(({ organization, role }) => ({ organization, role }))
    })),
    organizations: accounts.organizations().map(({ id, name, profileMarkdown, createdAt }) => ({
      name,
      boxes: boxCounts.get(id) ?? 0,
      profile: profileMarkdown,
      createdAt,
      members: (byOrganization.get(name) ?? []).map(({ user, role }) => ({ user, role }))
    })),
    tokens: tokens.list().map(({ id, user, description, createdAt, lastUsedAt }) => ({
      id,
      user,
      description,
      createdAt,
      lastUsedAt
    })),
    codes: shownCodes.list().map(({ user, code, expiresAt }) => ({ user, code, expiresAt }))
  }
}

function grouped<T>(rows: readonly T[], key: (row: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>()
  for (const row of rows) {
    const group = groups.get(key(row))
    if (group) group.push(row)
    else groups.set(key(row), [row])
  }
  return groups
}
