import type { lendingOperations, QueryOf } from '@tallystick/wire'
import { formatUnits } from '../../platform/amounts.rules.ts'
import { asCursor, countOf, readCursor } from '../../platform/page.ts'
import { assetOf, findOwnVault, type VaultCall } from './own-vault.ts'
import { type HistoryRow, readVaultHistory } from './vault-history.store.ts'

type HistoryQuery = QueryOf<typeof lendingOperations.listVaultHistory>

/** Block and place in the block. */
const CURSOR = /^\d{1,30} \d{1,9}$/
/** Ahead of everything. */
const START = ['9'.repeat(30), '999999999'] as const

function shown(row: HistoryRow, decimals: number) {
  const amount = (raw: string) => formatUnits(BigInt(raw), decimals)
  return {
    at: new Date(row.blockTime * 1000).toISOString(),
    kind: row.kind,
    holder: row.holder,
    amount: amount(row.amount),
    shares: amount(row.shares),
    totalShares: amount(row.sharesAfter),
    sharePrice: formatUnits(BigInt(row.priceWad), 18),
    earned: amount(row.earned),
    txHash: row.txHash,
    blockNumber: row.blockNumber,
  }
}

export type VaultHistory = typeof listVaultHistory

/** Share price and earnings of a vault over time, by its recorded deposits and redemptions. */
export async function listVaultHistory(call: VaultCall, vaultAddress: string, query: HistoryQuery) {
  const vault = await findOwnVault(call, vaultAddress)
  const limit = countOf(query.limit, { fallback: 50, most: 200 })
  const [blockNumber = '', blockLogIndex = ''] = readCursor(query.cursor, CURSOR) ?? START
  const { syncedBlock, assetDecimals } = vault
  const place = { chainId: call.chainId, vault: vault.address, after: { blockNumber, blockLogIndex } }
  const rows =
    syncedBlock === null
      ? []
      : await call.tenant.read((sql) => readVaultHistory(sql, { ...place, syncedBlock, limit: limit + 1 }))
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const hasMore = rows.length > limit
  return {
    data: {
      vaultAddress: vault.address,
      asset: assetOf(vault),
      points: page.map((row) => shown(row, assetDecimals)),
      syncedBlock,
      hasMore,
      limit,
      nextCursor: hasMore && last ? asCursor([last.blockNumber, String(last.blockLogIndex)]) : null,
    },
  }
}
