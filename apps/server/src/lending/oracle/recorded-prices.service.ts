import type { TenantDatabase } from '../../platform/db/database.ts'
import type { Market } from '../core/index.rules.ts'
import { findOwn } from './attestations.store.ts'
import { findPriceSigner } from './oracle.store.ts'

/** Who signs prices for the oracle, as far as its events are known, and what the instance has of this very price with a signature. */
export async function findRecordedPrice(tenant: TenantDatabase, { chainId, oracle }: Market, price: bigint) {
  const [declared] = await tenant.read((sql) => findPriceSigner(sql, chainId, oracle))
  const [own] = await tenant.read((sql) => findOwn(sql, tenant.instanceId, chainId, oracle, price))
  return { declared: declared?.signer, own }
}
