import type { Address } from 'viem'
import { AppError } from '../../platform/app-error.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import { findContracts } from './stock-contracts.store.ts'

/** The factory of this deployment, and its identity registry if it has one. */
export interface StockContracts {
  readonly factory: Address
  readonly identityRegistry: Address | null
}

export async function requireFactory(tenant: TenantDatabase, chainId: number): Promise<StockContracts> {
  const rows = await tenant.read((sql) => findContracts(sql, chainId))
  const at = (name: string) => rows.find((one) => one.name === name)?.address ?? null
  const factory = at('StockFactory')
  if (!factory) throw new AppError('STOCKS_NOT_CONFIGURED')
  return { factory, identityRegistry: at('IdentityRegistry') }
}
