import type { TenantDatabase } from '../../platform/db/database.ts'
import type { Market } from '../core/index.rules.ts'
import type { LoanOnChain } from '../loans/index.rules.ts'
import { openShortfalls } from '../watch/index.ts'

/**
 * Is a pledge still backed, as far as the watch has seen? A wallet that is short is short for every loan of its holder; an
 * adapter in custody that is short is so for every loan of the market.
 */
export async function findIntact(tenant: TenantDatabase, { chainId, adapter }: Market) {
  const shortfalls = await tenant.read((sql) => openShortfalls(sql, chainId, adapter))
  const short = new Set<string>(shortfalls.map(({ holder }) => holder))
  return ({ borrower, collateral }: Pick<LoanOnChain, 'borrower' | 'collateral'>): boolean =>
    collateral === 0n || !(short.has(adapter) || short.has(borrower.toLowerCase()))
}
