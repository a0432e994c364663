import { roles, type Caller, type Role } from '../domain/model.ts'
import { Problem } from '../domain/problem.ts'
import { memberTable, type MemberTable } from '../store/members.ts'
import type { Db } from '../store/open.ts'
import { organizationTable, type OrganizationTable } from '../store/organizations.ts'

/** Says who may do what in which organization. The person at this machine's command line may do everything. */
export class Permissions {
  readonly #members: MemberTable
  readonly #organizations: OrganizationTable

  constructor(db: Db) {
    this.#members = memberTable(db)
    this.#organizations = organizationTable(db)
  }

  roleIn(caller: Caller, organizationId: number): Role | null {
    switch (caller.kind) {
      case 'operator':
        return 'admin'
      case 'user':
        return this.#members.role(organizationId, caller.id)
      case 'anonymous':
        return null
    }
  }

  mayRead(caller: Caller, organizationId: number, isPrivate: boolean): boolean {
    return !isPrivate || this.roleIn(caller, organizationId) !== null
  }

  /** Nobody unknown changes anything, whether or not it exists. */
  requireKnown(caller: Caller): void {
    if (caller.kind === 'anonymous')
      throw new Problem(
        'unauthorized',
        'A valid token is needed for this; none was given, or it is not known here.'
      )
  }

  /** Refuses callers who have less than a role. Where they may not even know that something is there, ask mayRead first. */
  require(caller: Caller, organizationId: number, role: Role): void {
    this.requireKnown(caller)
    const has = this.roleIn(caller, organizationId)
    if (has && roles.indexOf(has) >= roles.indexOf(role)) return
    const organization = this.#organizations.byId(organizationId)?.name ?? ''
    throw new Problem(
      'forbidden',
      `This needs the role "${role}" in the organization ${organization}; ` +
        (has ? `yours is "${has}".` : 'you are not a member of it.')
    )
  }

  /** Ids of the organizations whose private boxes the caller may see. */
  organizationsOf(caller: Caller): number[] | 'all' {
    switch (caller.kind) {
      case 'operator':
        return 'all'
      case 'user':
        return this.#members.organizationsOf(caller.id)
      case 'anonymous':
        return []
    }
  }
}
