import type { Address } from 'viem'
import { fieldError } from '../../platform/app-error.ts'
import { parseAddress } from '../../platform/chain/address.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import type { Instance } from '../../platform/http/caller.ts'

/** Who looks at markets that are not recorded on its instance, and where. */
export interface QueueRequest {
  readonly tenant: TenantDatabase
  readonly instance: Instance
  readonly mountedAt: string
}

export function requireMarketAddress(text: string): Address {
  const address = parseAddress(text)
  if (!address) throw fieldError('VALIDATION_ERROR', [{ field: 'market', message: 'has a wrong checksum' }])
  return address
}
