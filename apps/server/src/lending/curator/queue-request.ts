import { requireAddressField } from '../../platform/chain/address.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import type { Instance } from '../../platform/http/caller.ts'

/** Who looks at markets that are not recorded on its instance, and where. */
export interface QueueRequest {
  readonly tenant: TenantDatabase
  readonly instance: Instance
  readonly mountedAt: string
}

export const requireMarketAddress = (text: string) => requireAddressField('market', text)
