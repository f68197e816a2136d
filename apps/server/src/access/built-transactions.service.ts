import type { QueryOf, transactionOperations } from '@tallystick/wire'
import { AppError } from '../platform/app-error.ts'
import type { Clock } from '../platform/clock.ts'
import type { TenantDatabase } from '../platform/db/database.ts'
import type { NotedBuild } from '../platform/http/server.ts'
import { isUuid, newId } from '../platform/ids.ts'
import { asCursor, countOf, readCursor } from '../platform/page.ts'
import type { Random } from '../platform/random.ts'
import * as store from './built-transactions.store.ts'

const bounds = { fallback: 50, most: 200 }
const cursorForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function shown(row: store.BuiltRow) {
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
  }
}

type ListQuery = QueryOf<typeof transactionOperations.listBuiltTransactions>

export function createBuiltTransactions({ clock, random }: { clock: Clock; random: Random }) {
  async function find(tenant: TenantDatabase, transactionId: string): Promise<store.WholeBuiltRow> {
    const [row] = isUuid(transactionId)
      ? await tenant.read((sql) => store.findBuilt(sql, tenant.instanceId, transactionId))
      : []
    if (!row) throw new AppError('TRANSACTION_NOT_FOUND')
    return row
  }

  return {
    /** In the commit of the request that builds it, where that has one. */
    async note(tenant: TenantDatabase, { caller, operation, path, body, calls }: NotedBuild): Promise<string> {
      const transactionId = newId(clock, random)
      const built: store.NewBuilt = {
        transactionId,
        makerName: caller.keyName,
        makerUserId: caller.session?.user?.userId ?? null,
        operation: operation.id,
        summary: operation.summary,
        path,
        body,
        calls: calls.map(({ to, data, value, chainId }) => ({ to, data, value, chainId })),
        builtAt: clock.now(),
      }
      await tenant.transaction((sql) => store.insertBuilt(sql, tenant.instanceId, built))
      return transactionId
    },

    async list(tenant: TenantDatabase, query: ListQuery) {
      const limit = countOf(query.limit, bounds)
      const [cursor = null] = readCursor(query.cursor, cursorForm) ?? []
      const wanted = { status: query.status ?? null, cursor, limit: limit + 1 }
      const rows = await tenant.read((sql) => store.listBuilt(sql, tenant.instanceId, wanted))
      const page = rows.slice(0, limit)
      const hasMore = rows.length > limit
      const last = page.at(-1)
      const nextCursor = hasMore && last ? asCursor([last.transactionId]) : null
      return { transactions: page.map(shown), hasMore, limit, nextCursor }
    },

    async get(tenant: TenantDatabase, transactionId: string) {
      const row = await find(tenant, transactionId)
      return { ...shown(row), body: row.body, calls: row.calls }
    },

    async report(tenant: TenantDatabase, transactionId: string, txHash: string) {
      await find(tenant, transactionId)
      const report = { transactionId, txHash: txHash.toLowerCase(), sentAt: clock.now() }
      await tenant.transaction((sql) => store.reportBuilt(sql, tenant.instanceId, report))
      return shown(await find(tenant, transactionId))
    },
  }
}
