import { AppError } from '../../platform/app-error.ts'
import type { TenantDatabase } from '../../platform/db/database.ts'
import type { Instance } from '../../platform/http/caller.ts'
import { requireAddressField } from '../request-fields.ts'
import { endpointAt } from './markets.service.ts'

/** Who asks for a deployment, and where. */
export interface DeployRequest {
  readonly tenant: TenantDatabase
  readonly instance: Instance
  readonly mountedAt: string
}

export const requireCollateral = (text: string) => requireAddressField('collateralTokenAddress', text)

export function marketExists(mountedAt: string, marketId: string): AppError {
  const archiveWith = endpointAt(mountedAt, `/markets/${marketId}/archive`)
  return new AppError('MARKET_EXISTS', { extra: { action: 'USE_EXISTING_MARKET', marketId, archiveWith } })
}
