import type { TenantDatabase } from '../../platform/db/database.ts'
import type { Market } from '../core/index.rules.ts'
import { findProvision } from './terms-of-use.store.ts'

/** The published terms of use of the lender of record say that loans may be extended. */
export async function isProvidedFor(tenant: TenantDatabase, { chainId, address }: Market): Promise<boolean> {
  const rows = await tenant.read((sql) => findProvision(sql, chainId, address))
  return rows.length > 0
}
