import type { Address } from 'viem'
import { AppError, fieldError } from '../../platform/app-error.ts'
import { parseAddress } from '../../platform/chain/address.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import type { Instance } from '../../platform/http/caller.ts'
import { endpointAt } from './markets.service.ts'

/** Who asks for a deployment, and where. */
export interface DeployRequest {
  readonly tenant: TenantDatabase
  readonly instance: Instance
  readonly mountedAt: string
}

export function requireCollateral(text: string): Address {
  const address = parseAddress(text)
  if (!address)
    throw fieldError('VALIDATION_ERROR', [{ field: 'collateralTokenAddress', message: 'has a wrong checksum' }])
  return address
}

export function marketExists(mountedAt: string, marketId: string): AppError {
  const archiveWith = endpointAt(mountedAt, `/markets/${marketId}/archive`)
  return new AppError('MARKET_EXISTS', { extra: { action: 'USE_EXISTING_MARKET', marketId, archiveWith } })
}
