import { AppError } from '../../platform/app-error.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import { isUuid } from '../../platform/ids.ts'
import { countOf } from '../../platform/page.ts'
import { type BookClass, classOf } from '../books/index.rules.ts'
import { asTrade } from '../reads/index.rules.ts'
import { tape } from '../reads/index.ts'
import * as store from './settlements.store.ts'

const PENDING = { fallback: 25, most: 25 } as const

type Found = Awaited<ReturnType<typeof find>>

async function find(tenant: TenantDatabase, bookClass: BookClass, settlementId: string) {
  const [row] = isUuid(settlementId)
    ? await tenant.read((sql) => store.findSettlement(sql, settlementId, bookClass))
    : []
  if (!row) throw new AppError('SETTLEMENT_NOT_FOUND')
  return row
}

/** Whether it is of a book of the asking instance, all of which that instance reads. */
const isOwn = (row: Found, tenant: TenantDatabase): row is Found & store.SettlementOfBook =>
  row.instanceId === tenant.instanceId

/** The settlement, if it is for the caller's instance to settle. */
export async function requireOwnSettlement(
  tenant: TenantDatabase,
  mountedAt: string,
  settlementId: string,
): Promise<store.SettlementOfBook> {
  const row = await find(tenant, classOf(mountedAt), settlementId)
  if (isOwn(row, tenant)) return row
  throw new AppError('SETTLEMENT_NOT_BUILDABLE', {
    detail: "The owner of the maker's book settles. Your instance is told by the settlement's record.",
  })
}

const asRef = (row: store.SettlementRow) => ({
  settlementId: row.settlementId,
  orderBookId: row.bookId,
  status: row.status,
  tradeCount: row.tradeCount,
  txHash: row.txHash,
  error: row.error,
  createdAt: row.createdAt.toISOString(),
})

export function createSettlementsService() {
  return {
    async pending(tenant: TenantDatabase, mountedAt: string, request: { orderBookId?: string; limit?: string }) {
      const { orderBookId: bookId = null } = request
      if (bookId !== null && !isUuid(bookId)) return { settlements: [] }
      const asked = { bookClass: classOf(mountedAt), bookId, limit: countOf(request.limit, PENDING) }
      const rows = await tenant.read((sql) => store.listPending(sql, tenant.instanceId, asked))
      const ids = rows.map(({ settlementId }) => settlementId)
      const trades = ids.length > 0 ? await tenant.read((sql) => tape.listTradesOfSettlements(sql, ids)) : []
      const ofRow = ({ settlementId }: store.SettlementRow) =>
        trades.filter((trade) => trade.settlementId === settlementId && trade.settlementStatus === 'PROCESSING')
      const settlements = rows.map((row) => ({ ...asRef(row), trades: ofRow(row).map(asTrade) }))
      return { settlements }
    },

    async get(tenant: TenantDatabase, mountedAt: string, settlementId: string) {
      const row = await find(tenant, classOf(mountedAt), settlementId)
      const trades = await tenant.read((sql) => tape.listTradesOfSettlements(sql, [settlementId]))
      return {
        id: row.settlementId,
        instanceId: row.instanceId,
        ...asRef(row),
        blockNumber: row.blockNumber === null ? null : Number(row.blockNumber),
        gasUsed: row.gasUsed?.toString() ?? null,
        settledAt: row.settledAt?.toISOString() ?? null,
        updatedAt: row.updatedAt.toISOString(),
        trades: trades.map(asTrade),
      }
    },
  }
}

export type SettlementsService = ReturnType<typeof createSettlementsService>
