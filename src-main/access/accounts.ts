import { randomUUID } from 'node:crypto'
import type { Role } from '../domain/model.ts'
import { checkAccountName, nameKey } from '../domain/names.ts'
import { Problem } from '../domain/problem.ts'
import { memberTable, type Membership, type MemberTable } from '../store/members.ts'
import type { Db } from '../store/open.ts'
import { organizationTable, type OrganizationRow, type OrganizationTable } from '../store/organizations.ts'
import { settingsTable, type SettingsTable } from '../store/settings.ts'
import { trashTable, type TrashTable } from '../store/trash.ts'
import { userTable, type UserRow, type UserTable } from '../store/users.ts'
import type { Passwords } from './passwords.ts'
import type { SecondFactor, TotpSetup } from './second-factor.ts'

/** Under whose name boxes are kept. */
export type Organization = OrganizationRow

/** An account, as it may be shown. */
export interface User {
  readonly id: number
  readonly name: string
  readonly email: string | null
  readonly hasPassword: boolean
  readonly hasTwoFactor: boolean
  readonly createdAt: number
}

/** Addresses are compared by this form and shown as they were written. */
export const emailKey = (email: string): string => email.normalize('NFC').toLowerCase()

const longestEmail = 254
/** A sentence may name so many organizations. */
const mostNamed = 5

/** Users, organizations, and who belongs to which. */
export class Accounts {
  readonly #db: Db
  readonly #users: UserTable
  readonly #organizations: OrganizationTable
  readonly #members: MemberTable
  readonly #settings: SettingsTable
  readonly #trash: TrashTable
  readonly #passwords: Passwords
  readonly #secondFactor: SecondFactor
  readonly #now: () => number
  #registryId: string | null = null

  constructor(
    db: Db,
    services: { passwords: Passwords; secondFactor: SecondFactor },
    now: () => number = Date.now
  ) {
    this.#db = db
    this.#users = userTable(db)
    this.#organizations = organizationTable(db)
    this.#members = memberTable(db)
    this.#settings = settingsTable(db)
    this.#trash = trashTable(db)
    this.#passwords = services.passwords
    this.#secondFactor = services.secondFactor
    this.#now = now
  }

  /** Makes the account of whoever runs this registry, and its organization, once. Afterwards it stays who it is. */
  ensureOwner(name: string): { created: boolean; name: string } {
    const there = this.owner()
    if (there) {
      // Folders that are older than this have none yet.
      if (this.registryId() === null) this.#write(() => this.#ensureRegistryId())
      return { created: false, name: there.name }
    }
    checkAccountName('The owner name', name)
    return this.#write(() => {
      // Another process may have made one while this one waited.
      const made = this.owner()
      if (made) return { created: false, name: made.name }
      const user = this.#users.byName(nameKey(name)) ?? this.#insertUser(name, null, null)
      const organization = this.findOrganization(name) ?? this.#insertOrganization(user.name, user)
      this.#members.set(organization.id, user.id, 'admin')
      this.#organizations.passOwnership(organization.id)
      this.#settings.set('owner', user.id)
      this.#ensureRegistryId()
      return { created: true, name: user.name }
    })
  }

  /** Tells this registry from every other for as long as its folder lives; null before the first start. */
  registryId(): string | null {
    return (this.#registryId ??= this.#settings.get('registryId'))
  }

  /** The account made by the first start, if there was one. */
  owner(): User | null {
    const id = this.#settings.get('owner')
    const row = id === null ? null : this.#users.byId(id)
    return row && shown(row)
  }

  async addUser(name: string, email: string | null = null, password: string | null = null): Promise<User> {
    checkAccountName('The user name', name)
    if (email !== null) checkEmail(email)
    if (password !== null) this.#passwords.checkNew(password)
    const hash = password === null ? null : await this.#passwords.hash(password)
    return this.#write(() => shown(this.#insertUser(name, email, hash)))
  }

  async setPassword(name: string, password: string): Promise<void> {
    const { id } = this.#user(name)
    this.#passwords.checkNew(password)
    const hash = await this.#passwords.hash(password)
    this.#write(() => this.#users.setPassword(id, hash, this.#now()))
  }

  /** What the account's app must be given when it was turned on, else null. */
  setTwoFactor(name: string, on: boolean): TotpSetup | null {
    return this.#write(() => {
      const user = this.#user(name)
      if (on && user.totpSecret !== null)
        throw new Problem(
          'invalid',
          `Two-factor authentication is already on for ${user.name}; turn it off first to get a new secret.`
        )
      if (on) return this.#secondFactor.turnOn(user)
      this.#secondFactor.turnOff(user)
      return null
    })
  }

  /** With its tokens and memberships. What it has made stays. */
  removeUser(name: string): void {
    this.#write(() => {
      const user = this.#user(name)
      if (user.id === this.#settings.get('owner'))
        throw new Problem('invalid', `${user.name} is the owner of this registry, who stays.`)
      const memberOf = this.#members.organizationsOf(user.id)
      this.#refuseLastAdmin(user, memberOf)
      this.#users.remove(user.id)
      for (const id of memberOf) {
        this.#organizations.passOwnership(id)
        this.#organizations.touch(id, this.#now())
      }
    })
  }

  addOrganization(name: string, ownerName: string): Organization {
    checkAccountName('The organization name', name)
    return this.#write(() => {
      const owner = this.#user(ownerName)
      const namesake = this.#users.byName(nameKey(name))
      if (namesake && namesake.id !== owner.id)
        throw new Problem('invalid', `The name "${name}" belongs to another user; choose another.`)
      if (this.#organizations.byName(nameKey(name)))
        throw new Problem('invalid', `There is an organization "${name}" already.`)
      return this.#insertOrganization(name, owner)
    })
  }

  /** Only one without boxes; deleted ones of it can then not be restored any more. */
  removeOrganization(name: string): void {
    this.#write(() => {
      const { id, name: shown } = this.#organization(name)
      if (nameKey(shown) === nameKey(this.owner()?.name ?? ''))
        throw new Problem('invalid', `${shown} is the organization of the owner of this registry and stays.`)
      if (this.#organizations.hasBoxes(id))
        throw new Problem('invalid', `${shown} has boxes. Delete them first, then the organization.`)
      this.#trash.forgetAllOf(id)
      this.#organizations.remove(id)
    })
  }

  /** What an organization says of itself, as it was written and as HTML that may be shown to anybody. */
  setProfile(name: string, profile: { readonly markdown: string; readonly html: string }): void {
    this.#write(() => {
      const { id } = this.#organization(name)
      this.#organizations.setProfile(id, profile.markdown, profile.html)
      this.#organizations.touch(id, this.#now())
    })
  }

  setMember(organizationName: string, userName: string, role: Role | 'none'): void {
    this.#write(() => {
      const organization = this.#organization(organizationName)
      const user = this.#user(userName)
      const had = this.#members.role(organization.id, user.id)
      if (had === 'admin' && role !== 'admin' && !this.#members.hasOtherAdmins(organization.id, user.id))
        throw new Problem(
          'invalid',
          `${user.name} is the last admin of ${organization.name}; make somebody else one first.`
        )
      if (role === 'none') this.#members.remove(organization.id, user.id)
      else this.#members.set(organization.id, user.id, role)
      this.#organizations.passOwnership(organization.id)
      this.#organizations.touch(organization.id, this.#now())
    })
  }

  findOrganization(name: string): Organization | null {
    return this.#organizations.byName(nameKey(name))
  }

  findUser(name: string): User | null {
    const row = this.#users.byName(nameKey(name))
    return row && shown(row)
  }

  users(): User[] {
    return this.#users.all().map(shown)
  }

  /** Names of the organizations somebody is a member of. */
  organizationsOf(userId: number): string[] {
    const names = this.#members
      .organizationsOf(userId)
      .map((id) => this.#organizations.byId(id)?.name)
      .filter((name) => name !== undefined)
    return names.toSorted()
  }

  organizations(): Organization[] {
    return this.#organizations.all()
  }

  memberships(): Membership[] {
    return this.#members.all()
  }

  #ensureRegistryId(): void {
    if (this.#settings.get('registryId') === null) this.#settings.set('registryId', randomUUID())
  }

  #insertUser(name: string, email: string | null, passwordHash: string | null): UserRow {
    this.#refuseTaken(name, email)
    const key = email === null ? null : emailKey(email)
    this.#users.insert({ name, nameKey: nameKey(name), email, emailKey: key, passwordHash, now: this.#now() })
    return this.#user(name)
  }

  #insertOrganization(name: string, owner: UserRow): Organization {
    const id = this.#organizations.insert({
      name,
      nameKey: nameKey(name),
      ownerId: owner.id,
      now: this.#now()
    })
    this.#members.set(id, owner.id, 'admin')
    return this.#organization(name)
  }

  #refuseTaken(name: string, email: string | null): void {
    if (this.#users.byName(nameKey(name))) throw new Problem('invalid', `There is a user "${name}" already.`)
    // One that nobody owns, as the demo leaves it, may get its namesake.
    if (this.#organizations.byName(nameKey(name))?.ownerName)
      throw new Problem('invalid', `The name "${name}" belongs to an organization; choose another.`)
    if (email !== null && this.#users.byEmail(emailKey(email)))
      throw new Problem('invalid', `The e-mail address "${email}" belongs to another user.`)
  }

  #refuseLastAdmin(user: UserRow, memberOf: readonly number[]): void {
    const left = memberOf.filter(
      (id) =>
        this.#members.role(id, user.id) === 'admin' &&
        !this.#members.hasOtherAdmins(id, user.id) &&
        this.#organizations.hasBoxes(id)
    )
    if (left.length === 0) return
    const names = left.slice(0, mostNamed).map((id) => this.#organizations.byId(id)?.name)
    const more = left.length > mostNamed ? ` and ${left.length - mostNamed} more` : ''
    throw new Problem(
      'invalid',
      `${user.name} is the last admin of ${names.join(', ')}${more}, which ${left.length === 1 ? 'has' : 'have'} boxes; ` +
        'make somebody else an admin there first.'
    )
  }

  #user(name: string): UserRow {
    const row = this.#users.byName(nameKey(name))
    if (!row) throw new Problem('missing', `There is no user "${name}".`)
    return row
  }

  #organization(name: string): Organization {
    const row = this.#organizations.byName(nameKey(name))
    if (!row) throw new Problem('missing', `There is no organization "${name}".`)
    return row
  }

  #write<T>(change: () => T): T {
    return this.#db.transaction(change).immediate()
  }
}

function checkEmail(email: string): void {
  if (email.length > longestEmail || !/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(email))
    throw new Problem('invalid', `"${email}" is not an e-mail address.`)
}

const shown = (row: UserRow): User => ({
  id: row.id,
  name: row.name,
  email: row.email,
  hasPassword: row.passwordHash !== null,
  hasTwoFactor: row.totpSecret !== null,
  createdAt: row.createdAt
})
