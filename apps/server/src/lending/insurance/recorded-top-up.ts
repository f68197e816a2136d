import type { TenantDatabase } from '../../platform/db/database.ts'
import { findRecordedTopUp } from './insurance.store.ts'

/** Did the instance record a top-up of this transaction before? */
export async function wasRecorded(tenant: TenantDatabase, chainId: number, txHash: string): Promise<boolean> {
  const [found] = await tenant.read((sql) => findRecordedTopUp(sql, tenant.instanceId, chainId, txHash))
  return found?.known ?? false
}
