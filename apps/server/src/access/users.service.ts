import type { BodyOf, sessionOperations, UserRole } from '@tallystick/wire'
import { AppError, fieldError } from '../platform/app-error.ts'
import { requireAddress } from '../platform/chain/address.ts'
import type { Clock } from '../platform/clock.ts'
import { type Administered, actBetween } from '../platform/db/audit.ts'
import type { Sql, TenantDatabase } from '../platform/db/database.ts'
import type { Caller } from '../platform/http/caller.ts'
import { newId } from '../platform/ids.ts'
import type { Random } from '../platform/random.ts'
import { refuseUnheld } from './keys.service.ts'
import { MAX_USERS, scopesOfRole, type UserRow } from './session.rules.ts'
import { shownUser } from './sessions.service.ts'
import { changeSessionsOfUser, endSessions } from './sessions.store.ts'
import * as store from './users.store.ts'

type ShownUser = ReturnType<typeof shownUser>

const audited = ({ address, email, name, role }: UserRow) => ({ address, email, name, role })

/** Nobody gives away or takes away more than it has. */
function refuseStronger(caller: Caller, ...roles: readonly UserRole[]): void {
  refuseUnheld(caller.scopes, [...new Set(roles.flatMap(scopesOfRole))])
}

/** How somebody can sign in: at least one way. */
function identified({ address, email }: BodyOf<typeof sessionOperations.addUser>) {
  if (address === undefined && email === undefined)
    throw fieldError('VALIDATION_ERROR', [{ field: 'address', message: 'or email is required' }])
  return {
    address: address === undefined ? null : requireAddress(address),
    email: email?.toLowerCase() ?? null,
  }
}

async function lockedUsers(sql: Sql, instanceId: string): Promise<UserRow[]> {
  await store.lockUsers(sql, instanceId)
  return [...(await store.listUsers(sql, instanceId))]
}

function requireUser(users: readonly UserRow[], userId: string): UserRow {
  const user = users.find((one) => one.userId === userId)
  if (!user) throw new AppError('USER_NOT_FOUND')
  return user
}

/** There is always somebody who can let others in. */
function refuseLastAdmin(users: readonly UserRow[], { userId, role }: UserRow): void {
  if (role === 'admin' && !users.some((one) => one.role === 'admin' && one.userId !== userId))
    throw new AppError('LAST_ADMIN')
}

export function createUsersService({ clock, random }: { clock: Clock; random: Random }) {
  return {
    async list(tenant: TenantDatabase) {
      return (await tenant.read((sql) => store.listUsers(sql, tenant.instanceId))).map(shownUser)
    },

    async add(
      tenant: TenantDatabase,
      caller: Caller,
      request: BodyOf<typeof sessionOperations.addUser>,
    ): Promise<Administered<ShownUser>> {
      const { address, email } = identified(request)
      refuseStronger(caller, request.role)
      return tenant.transaction(async (sql) => {
        const users = await lockedUsers(sql, tenant.instanceId)
        const isKnown = (one: UserRow) =>
          (address !== null && one.address === address) || (email !== null && one.email === email)
        if (users.some(isKnown)) throw new AppError('USER_ALREADY_EXISTS')
        if (users.length >= MAX_USERS) throw new AppError('USER_LIMIT_REACHED')
        const { name, role } = request
        const user = { userId: newId(clock, random), address, email, name, role, createdAt: clock.now() }
        await store.insertUser(sql, tenant.instanceId, user)
        return { data: shownUser(user), act: { subject: user.userId, before: null, after: audited(user) } }
      })
    },

    async change(
      tenant: TenantDatabase,
      caller: Caller,
      userId: string,
      request: BodyOf<typeof sessionOperations.changeUser>,
    ): Promise<Administered<ShownUser>> {
      if (Object.keys(request).length === 0)
        throw fieldError('VALIDATION_ERROR', [{ field: 'body', message: 'must hold name or role' }])
      return tenant.transaction(async (sql) => {
        const users = await lockedUsers(sql, tenant.instanceId)
        const before = requireUser(users, userId)
        const after = { ...before, ...request }
        refuseStronger(caller, before.role, after.role)
        if (after.role !== 'admin') refuseLastAdmin(users, before)
        const act = actBetween(userId, audited(before), audited(after))
        if (act) {
          await store.updateUser(sql, tenant.instanceId, after)
          await changeSessionsOfUser(sql, userId, { name: after.name, scopes: scopesOfRole(after.role) })
        }
        return { data: shownUser(after), act }
      })
    },

    async remove(tenant: TenantDatabase, caller: Caller, userId: string): Promise<Administered<{ removed: true }>> {
      return tenant.transaction(async (sql) => {
        const users = await lockedUsers(sql, tenant.instanceId)
        const user = requireUser(users, userId)
        refuseStronger(caller, user.role)
        refuseLastAdmin(users, user)
        await endSessions(sql, tenant.instanceId, { userId }, clock.now())
        await store.deleteUser(sql, tenant.instanceId, userId)
        return { data: { removed: true }, act: { subject: userId, before: audited(user), after: null } }
      })
    },
  }
}
