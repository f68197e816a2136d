import { AppError } from '../../platform/app-error.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import type { EncodedReason } from './reason.rules.ts'
import { asAddress } from './request-fields.ts'
import type { Stock, StockRecord } from './stocks.store.ts'
import * as store from './stocks.store.ts'

/** The token that a path names, as the caller's instance recorded it. Everything else is "not found". */
export async function requireStock(tenant: TenantDatabase, tokenAddress: string): Promise<Stock> {
  const address = asAddress('tokenAddress', tokenAddress)
  const [stock] = await tenant.read((sql) => store.findStock(sql, tenant.instanceId, address))
  if (!stock) throw new AppError('TOKEN_NOT_FOUND')
  return stock
}

/** Words that are too long for the chain, which holds only their hash. */
export async function keepReasonOf(
  tenant: TenantDatabase,
  reason: EncodedReason | undefined,
  now: Date,
): Promise<void> {
  if (!reason || reason.words === null) return
  const { bytes32, words } = reason
  await tenant.apart((sql) => store.keepReason(sql, tenant.instanceId, bytes32, words, now))
}

/** A record as answers show it. */
export const shownRecord = (stock: StockRecord, instanceId: string) => ({
  tokenAddress: stock.tokenAddress,
  name: stock.name,
  symbol: stock.symbol,
  isin: stock.isin,
  decimals: stock.decimals,
  metadataURI: stock.metadataURI,
  issuerAddress: stock.issuerAddress,
  instanceId,
  recordedAt: stock.recordedAt.toISOString(),
})
