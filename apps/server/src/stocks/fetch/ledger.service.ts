import type { QueryOf, stocksOperations } from '@tallystick/wire'
import { formatUnits } from '../../platform/amounts.rules.ts'
import { AppError } from '../../platform/app-error.ts'
import { heightAt } from '../../platform/chain/height-at.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import { asCursor, pageOf, readCursor } from '../../platform/page.ts'
import type { StocksParts } from '../parts.ts'
import { readReason } from '../records/index.rules.ts'
import { requireStock } from '../records/index.ts'
import { listHolders, listTransactions, type TransactionRow } from './ledger.store.ts'

type HoldersQuery = QueryOf<typeof stocksOperations.listHolders>
type TransactionsQuery = QueryOf<typeof stocksOperations.listStockTransactions>
type TransactionType = NonNullable<TransactionsQuery['type']>

const CURSOR = /^\d{1,30} \d{1,9}$/
const NO_REASON = /^0x0*$/

function shownTransaction(row: TransactionRow, decimals: number) {
  const hash = row.reason !== null && !NO_REASON.test(row.reason) ? row.reason : null
  return {
    transactionHash: row.txHash,
    type: row.type as TransactionType,
    from: row.giver,
    to: row.taker,
    amount: row.amount === null ? null : formatUnits(BigInt(row.amount), decimals),
    timestamp: new Date(Number(row.blockTime) * 1000).toISOString(),
    reason: row.words ?? (hash && readReason(hash)),
    reasonHash: hash,
    by: row.orderedBy,
    splitRatio: row.numerator && row.denominator ? { numerator: row.numerator, denominator: row.denominator } : null,
    blockNumber: row.blockNumber,
    finality: row.finality,
    recordedByThisInstance: row.recorded,
  }
}

/** What the events of a token add up to. */
export function createLedger({ chains }: Pick<StocksParts, 'chains'>) {
  /** Null: the last block on record. */
  async function blockOf({ block, at }: HoldersQuery, chainId: number): Promise<string | null> {
    if (block !== undefined) return block
    if (at === undefined) return null
    return (await heightAt(chains.get(chainId), Math.floor(Date.parse(at) / 1000))).toString()
  }

  return {
    async holders(tenant: TenantDatabase, token: string, query: HoldersQuery) {
      const { chainId, tokenAddress, decimals } = await requireStock(tenant, token)
      const { limit, offset } = pageOf(query, { fallback: 100, most: 500 })
      const block = await blockOf(query, chainId)
      const request = { chainId, token: tokenAddress, block, limit, offset }
      const [found] = await tenant.read((sql) => listHolders(sql, request))
      if (!found) throw new Error('a recorded token is not followed')
      const { recordedTo, total, page } = found
      if (block !== null && BigInt(block) > BigInt(recordedTo))
        throw new AppError('BLOCK_NOT_REACHED', {
          detail: `The record of this token reaches block ${recordedTo}. Try again.`,
          extra: { recordedTo },
        })
      const data = {
        holders: page.map(({ address, balance }) => ({ address, balance: formatUnits(BigInt(balance), decimals) })),
        total,
        totalSupply: formatUnits(BigInt(found.totalSupply), decimals),
        block: found.block,
        limit,
        offset,
      }
      return { data }
    },

    async transactions(tenant: TenantDatabase, token: string, query: TransactionsQuery) {
      const { chainId, tokenAddress, decimals } = await requireStock(tenant, token)
      const { limit, offset } = pageOf(query, { fallback: 50, most: 200 })
      const [blockNumber, blockLogIndex] = readCursor(query.cursor, CURSOR) ?? []
      const after = blockNumber && blockLogIndex ? { blockNumber, blockLogIndex } : null
      const request = { instanceId: tenant.instanceId, chainId, token: tokenAddress, type: query.type ?? null, after }
      // One more than is shown tells whether there are more.
      const rows = await tenant.read((sql) => listTransactions(sql, { ...request, limit: limit + 1, offset }))
      const shown = rows.slice(0, limit)
      const last = shown.at(-1)
      const hasMore = rows.length > limit
      const pagination = {
        returned: shown.length,
        limit,
        offset,
        hasMore,
        nextCursor: hasMore && last ? asCursor([last.blockNumber, String(last.blockLogIndex)]) : null,
      }
      return { data: shown.map((row) => shownTransaction(row, decimals)), pagination }
    },
  }
}

export type Ledger = ReturnType<typeof createLedger>
