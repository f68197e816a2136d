import { createHash } from 'node:crypto'
import type { QueryOf, transactionOperations } from '@tallystick/wire'
import { AppError } from '../platform/app-error.ts'
import type { Clock } from '../platform/clock.ts'
import type { Administered } from '../platform/db/audit.ts'
import type { Sql, TenantDatabase } from '../platform/db/database.ts'
import type { Caller } from '../platform/http/caller.ts'
import type { KeptBuild, NotedBuild } from '../platform/http/server.ts'
import { isUuid, newId } from '../platform/ids.ts'
import { asCursor, countOf, readCursor } from '../platform/page.ts'
import type { Random } from '../platform/random.ts'
import {
  type ApprovalStatus,
  type Asker,
  approvalStatus,
  approvalUntil,
  isMaker,
  type Maker,
  mayApprove,
  mayBuild,
  mayReadCalls,
} from './approval.rules.ts'
import { findHolder, holdPolicy, readPolicy } from './approval-policy.store.ts'
import * as store from './built-transactions.store.ts'
import type { UserRow } from './session.rules.ts'
import { listUsers, lockUsers } from './users.store.ts'

const bounds = { fallback: 50, most: 200 }
const cursorForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

type ApprovalFields = Pick<
  store.BuiltRow,
  'approvalUntil' | 'decision' | 'decidedBy' | 'decidedByName' | 'decidedAt' | 'decisionReason' | 'txHash'
>

function approvalOf(row: ApprovalFields, now: Date) {
  const { approvalUntil: until, decidedBy, decidedByName } = row
  if (until === null) return null
  return {
    status: approvalStatus({ ...row, approvalUntil: until }, now),
    expiresAt: until.toISOString(),
    decidedBy: decidedBy === null || decidedByName === null ? null : { userId: decidedBy, name: decidedByName },
    decidedAt: row.decidedAt?.toISOString() ?? null,
    reason: row.decisionReason,
  }
}

function shown(row: store.BuiltRow, now: Date) {
  const { transactionId, operation, summary, status, path, chainId, txHash, blockNumber } = row
  return {
    transactionId,
    operation,
    summary,
    status,
    maker: { name: row.makerName, userId: row.makerUserId },
    path,
    chainId,
    txHash,
    builtAt: row.builtAt.toISOString(),
    sentAt: row.sentAt?.toISOString() ?? null,
    blockNumber,
    approval: approvalOf(row, now),
  }
}

const makerOf = ({ makerUserId, makerKeyId }: store.BuiltRow): Maker => ({ userId: makerUserId, keyId: makerKeyId })

/** What is done in a session that was begun with a key is done by that key. */
function askerOf({ keyId, session }: Caller): Asker {
  const user = session?.user ?? null
  return { userId: user?.userId ?? null, keyId: session ? session.parentKeyId : keyId, role: user?.role ?? null }
}

/** By which whoever reads the audit log can tell what was decided upon, long after the calls are gone. */
const fingerprintOf = (calls: readonly store.BuiltCall[]) =>
  createHash('sha256')
    .update(JSON.stringify(calls.map(({ chainId, to, value, data }) => [chainId, to, value, data])))
    .digest('hex')

/** What the answer to a build says besides its calls, where it says so. */
function wordsOf(data: unknown): { description: string | null; simulation: unknown } {
  const { description, simulation } = data as { description?: unknown; simulation?: unknown }
  return { description: typeof description === 'string' ? description : null, simulation: simulation ?? null }
}

type ListQuery = QueryOf<typeof transactionOperations.listBuiltTransactions>
type Shown = ReturnType<typeof shown>

const undecided = { decision: null, decidedBy: null, decidedByName: null, decidedAt: null, decisionReason: null }

export function createBuiltTransactions({ clock, random }: { clock: Clock; random: Random }) {
  async function findIn(sql: Sql, instanceId: string, transactionId: string): Promise<store.WholeBuiltRow> {
    const [row] = isUuid(transactionId) ? await store.findBuilt(sql, instanceId, transactionId, clock.now()) : []
    if (!row) throw new AppError('TRANSACTION_NOT_FOUND')
    return row
  }

  async function find(tenant: TenantDatabase, transactionId: string): Promise<store.WholeBuiltRow> {
    const [row] = isUuid(transactionId)
      ? await tenant.read((sql) => store.findBuilt(sql, tenant.instanceId, transactionId, clock.now()))
      : []
    if (!row) throw new AppError('TRANSACTION_NOT_FOUND')
    return row
  }

  const statusOf = (row: store.BuiltRow): ApprovalStatus | null => approvalOf(row, clock.now())?.status ?? null

  /** Nobody may lose the right to decide, or to have it built, while this is decided. */
  async function decide(
    tenant: TenantDatabase,
    caller: Caller,
    transactionId: string,
    wanted: { readonly decision: 'APPROVED' | 'REJECTED'; readonly reason: string | null },
  ): Promise<Administered<Shown>> {
    const { instanceId } = tenant
    return tenant.transaction(async (sql) => {
      await lockUsers(sql, instanceId)
      const users = [...(await listUsers(sql, instanceId))]
      const row = await findIn(sql, instanceId, transactionId)
      const decider = users.find(({ userId }) => userId === caller.session?.user?.userId)
      if (!decider || !mayApprove(decider.role)) throw new AppError('APPROVER_REQUIRED')
      refuseUndecidable(row, decider)
      if (wanted.decision === 'APPROVED') refuseGoneMaker(row, users)
      const decidedAt = clock.now()
      const { userId, name: userName } = decider
      const until = wanted.decision === 'APPROVED' ? approvalUntil(decidedAt) : (row.approvalUntil ?? decidedAt)
      const decided = { transactionId, userId, userName, ...wanted, decidedAt, approvalUntil: until }
      const isFirst = await store.decideBuilt(sql, instanceId, decided)
      const after = await findIn(sql, instanceId, transactionId)
      if (!isFirst) refuseUndecidable(after, decider)
      return {
        data: shown(after, clock.now()),
        act: {
          subject: transactionId,
          before: { status: 'PENDING' },
          after: {
            status: wanted.decision,
            operation: row.operation,
            path: row.path,
            maker: row.makerUserId ?? row.makerName,
            callsSha256: fingerprintOf(row.calls),
            ...(wanted.reason === null ? {} : { reason: wanted.reason }),
          },
        },
      }
    })
  }

  function refuseUndecidable(row: store.BuiltRow, decider: UserRow): void {
    const approval = approvalOf(row, clock.now())
    if (!approval) throw new AppError('APPROVAL_NOT_NEEDED')
    if (isMaker({ userId: decider.userId, keyId: null }, makerOf(row))) throw new AppError('OWN_TRANSACTION')
    if (row.decision !== null) throw new AppError('ALREADY_DECIDED', { extra: { approval } })
    if (approval.status === 'EXPIRED') throw new AppError('APPROVAL_EXPIRED')
  }

  function refuseGoneMaker({ makerUserId }: store.BuiltRow, users: readonly UserRow[]): void {
    if (makerUserId === null) return
    const maker = users.find(({ userId }) => userId === makerUserId)
    if (!maker || !mayBuild(maker.role)) throw new AppError('MAKER_NOT_ALLOWED')
  }

  return {
    /** In the commit of the request that builds it, where that has one. */
    async note(tenant: TenantDatabase, noted: NotedBuild): Promise<KeptBuild | undefined> {
      const { caller, operation, path, body, calls, data } = noted
      if (calls.length === 0) return undefined
      const { instanceId } = tenant
      const transactionId = newId(clock, random)
      return tenant.transaction(async (sql) => {
        await holdPolicy(sql, instanceId, 'build')
        const { secondPerson } = await readPolicy(sql, instanceId)
        const builtAt = clock.now()
        const built: store.NewBuilt = {
          transactionId,
          makerName: caller.keyName,
          makerUserId: caller.session?.user?.userId ?? null,
          makerKeyId: caller.session?.parentKeyId ?? null,
          operation: operation.id,
          summary: operation.summary,
          path,
          body,
          calls: calls.map(({ to, data: callData, value, chainId }) => ({ to, data: callData, value, chainId })),
          builtAt,
          approvalUntil: secondPerson ? approvalUntil(builtAt) : null,
        }
        await store.insertBuilt(sql, instanceId, built)
        const approval = approvalOf({ ...built, ...undecided, txHash: null }, builtAt)
        if (!approval) return { transactionId }
        const { summary } = operation
        return {
          transactionId,
          withheld: { action: 'AWAIT_APPROVAL', transactionId, summary, ...wordsOf(data), approval },
        }
      })
    },

    async list(tenant: TenantDatabase, query: ListQuery) {
      const limit = countOf(query.limit, bounds)
      const [cursor = null] = readCursor(query.cursor, cursorForm) ?? []
      const now = clock.now()
      const wanted = { status: query.status ?? null, cursor, limit: limit + 1, now }
      const rows = await tenant.read((sql) => store.listBuilt(sql, tenant.instanceId, wanted))
      const page = rows.slice(0, limit)
      const hasMore = rows.length > limit
      const last = page.at(-1)
      const nextCursor = hasMore && last ? asCursor([last.transactionId]) : null
      return { transactions: page.map((row) => shown(row, now)), hasMore, limit, nextCursor }
    },

    async get(tenant: TenantDatabase, caller: Caller, transactionId: string) {
      const row = await find(tenant, transactionId)
      const status = statusOf(row)
      const isShown = status === null || mayReadCalls(askerOf(caller), makerOf(row), status)
      return { ...shown(row, clock.now()), body: row.body, calls: isShown ? row.calls : null }
    },

    async report(tenant: TenantDatabase, transactionId: string, txHash: string) {
      const status = statusOf(await find(tenant, transactionId))
      if (status !== null && status !== 'APPROVED') throw new AppError('APPROVAL_REQUIRED')
      const report = { transactionId, txHash: txHash.toLowerCase(), sentAt: clock.now() }
      await tenant.transaction((sql) => store.reportBuilt(sql, tenant.instanceId, report))
      return shown(await find(tenant, transactionId), clock.now())
    },

    approve: (tenant: TenantDatabase, caller: Caller, transactionId: string) =>
      decide(tenant, caller, transactionId, { decision: 'APPROVED', reason: null }),

    reject: (tenant: TenantDatabase, caller: Caller, transactionId: string, reason: string) =>
      decide(tenant, caller, transactionId, { decision: 'REJECTED', reason }),

    /**
     * What the relayer asks before it sends a call: answers how to note that it was sent. Whoever comes with a key needs nobody; in a
     * session, where a second person is required, the very call has to be approved, and serves once.
     */
    async admitToRelay(tenant: TenantDatabase, call: store.BuiltCall) {
      const { instanceId, keyId } = tenant
      async function approved(sql: Sql): Promise<string | null> {
        const [holder] = await findHolder(sql, keyId)
        if (!holder || !(await readPolicy(sql, instanceId)).secondPerson) return null
        const [found] = await store.findApproved(sql, instanceId, holder, call, clock.now())
        if (!found) throw new AppError('APPROVAL_REQUIRED')
        return found.transactionId
      }
      // Before anything is priced or reserved.
      await tenant.apart(approved)
      return async (sql: Sql, txHash: string): Promise<void> => {
        await holdPolicy(sql, instanceId, 'build')
        const transactionId = await approved(sql)
        if (transactionId === null) return
        await store.reportBuilt(sql, instanceId, { transactionId, txHash, sentAt: clock.now() })
      }
    },
  }
}
