import { AppError } from '../platform/app-error.ts'
import type { Clock } from '../platform/clock.ts'
import { type Administered, actBetween } from '../platform/db/audit.ts'
import type { TenantDatabase } from '../platform/db/database.ts'
import type { Caller } from '../platform/http/caller.ts'
import { isStillAsked, mayApprove } from './approval.rules.ts'
import { holdPolicy, OPEN_POLICY, type PolicyRow, readPolicy, writePolicy } from './approval-policy.store.ts'
import { listUsers, lockUsers } from './users.store.ts'

/** Without a request that is too old to count. */
function current(row: PolicyRow, now: Date): PolicyRow {
  const isAsked = row.endAskedAt !== null && isStillAsked(row.endAskedAt, now)
  return isAsked ? row : { ...OPEN_POLICY, secondPerson: row.secondPerson }
}

const shown = ({ secondPerson, endAskedBy, endAskedByName, endAskedAt }: PolicyRow) => ({
  secondPerson,
  endAskedBy: endAskedBy === null || endAskedByName === null ? null : { userId: endAskedBy, name: endAskedByName },
  endAskedAt: endAskedAt?.toISOString() ?? null,
})

const audited = ({ secondPerson, endAskedBy }: PolicyRow) => ({ secondPerson, endAskedBy })

export function createApprovalPolicy({ clock }: { clock: Clock }) {
  /** One admin asks, another one ends it. */
  function ended(before: PolicyRow, caller: Caller, now: Date): PolicyRow {
    const user = caller.session?.user
    if (!user) throw new AppError('USER_REQUIRED')
    if (before.endAskedBy === user.userId) return before
    if (before.endAskedBy !== null) return OPEN_POLICY
    return { secondPerson: true, endAskedBy: user.userId, endAskedByName: user.name, endAskedAt: now }
  }

  return {
    async get(tenant: TenantDatabase) {
      const row = await tenant.apart((sql) => readPolicy(sql, tenant.instanceId))
      return shown(current(row, clock.now()))
    },

    async set(
      tenant: TenantDatabase,
      caller: Caller,
      secondPerson: boolean,
    ): Promise<Administered<ReturnType<typeof shown>>> {
      const { instanceId } = tenant
      return tenant.transaction(async (sql) => {
        await lockUsers(sql, instanceId)
        await holdPolicy(sql, instanceId, 'change')
        const now = clock.now()
        const before = current(await readPolicy(sql, instanceId), now)
        const approvers = (await listUsers(sql, instanceId)).filter(({ role }) => mayApprove(role))
        if (secondPerson && !before.secondPerson && approvers.length < 2) throw new AppError('APPROVERS_MISSING')
        const kept = { ...OPEN_POLICY, secondPerson }
        const after = secondPerson || !before.secondPerson ? kept : ended(before, caller, now)
        const act = actBetween(instanceId, audited(before), audited(after))
        if (act) await writePolicy(sql, instanceId, after, now)
        return { data: shown(after), act }
      })
    },
  }
}
